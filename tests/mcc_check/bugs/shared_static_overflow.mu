// A tile one element too small.
// expect: Invalid __shared__ write of size 4 bytes
// expect: at reverse(int*) in @BUG
// expect: by thread (31,0,0) in block (0,0,0)
// expect: Address 0xfc is out of bounds
// expect: and is 1 bytes after the variable
// expect: tile
// expect: of size 124 bytes
// expect: errors: 1
#include "../bug.h"

__global__ void reverse(int* data) {
#ifdef FIXED
  __shared__ int tile[32];
#else
  __shared__ int tile[31];
#endif
  __shared__ int behind[32];
  int i = threadIdx.x;
  behind[i] = 0;
  tile[i] = data[i];  // BUG
  __syncthreads();
#ifdef FIXED
  data[i] = tile[31 - i] + behind[i];
#else
  if (i > 0) data[i] = tile[31 - i] + behind[i];
#endif
}

int main() {
  DeviceArray<int> data(32);
  reverse<<<1, 32>>>(data);
  finish();
}
