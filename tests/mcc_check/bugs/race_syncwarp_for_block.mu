// __syncwarp where threads of two warps meet.
// expect: Error: Race reported between Write access at swap(int*) in @BUG
// expect: and Read access at swap(int*) in @READ
// expect: errors: 1
#include "../bug.h"

__global__ void swap(int* data) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  tile[i] = data[i];  // BUG
#ifdef FIXED
  __syncthreads();
#else
  __syncwarp();
#endif
  if (i >= 32) data[i] = tile[i - 32];  // READ
}

int main() {
  DeviceArray<int> data(64);
  swap<<<1, 64>>>(data);
  finish();
}
