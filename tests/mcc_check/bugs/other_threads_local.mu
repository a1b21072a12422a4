// The address of a private variable, given away through shared memory.
// expect: Invalid __local__ read of size 4 bytes
// expect: at share(int*) in @BUG
// expect: by thread (1,0,0) in block (0,0,0)
// expect: and is local memory of another thread
// expect: errors: 31
#include "../bug.h"

__global__ void share(int* out) {
  __shared__ int* pointer;
  __shared__ int value;
  int mine[2] = {static_cast<int>(threadIdx.x), 1};
  if (threadIdx.x == 0) {
    pointer = mine;
    value = mine[threadIdx.x];
  }
  __syncthreads();
#ifdef FIXED
  out[threadIdx.x] = value;
#else
  out[threadIdx.x] = *pointer + value;  // BUG
#endif
  __syncthreads();
}

int main() {
  DeviceArray<int> out(32);
  share<<<1, 32>>>(out);
  finish();
}
