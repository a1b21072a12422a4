// A __device__ array indexed by the thread.
// expect: Invalid __global__ read of size 4 bytes
// expect: at look(int*) in @BUG
// expect: by thread (10,0,0) in block (0,0,0)
// expect: and is 1 bytes after the variable 'table' at
// expect: of size 40 bytes
// expect: errors: 6
#include "../bug.h"

__device__ int table[10] = {1, 2, 3};

__global__ void look(int* out) {
#ifdef FIXED
  if (threadIdx.x >= 10) return;
#endif
  out[threadIdx.x] = table[threadIdx.x];  // BUG
}

int main() {
  DeviceArray<int> out(16);
  look<<<1, 16>>>(out);
  finish();
}
