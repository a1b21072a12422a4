// A kernel gets memory that has been freed.
// expect: Invalid __global__ read of size 4 bytes
// expect: at copy(int const*, int*) in @BUG
// expect: by thread (3,0,0) in block (0,0,0)
// expect: and is 12 bytes inside the freed allocation at
// expect: of size 128 bytes
// expect: errors: 4
#include "../bug.h"

__global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // BUG

int main() {
  int* in;
  musaMalloc(&in, 128);
  musaMemset(in, 0, 128);
  DeviceArray<int> out(4);
#ifndef FIXED
  musaFree(in);
#endif
  copy<<<1, 4>>>(in, out);
  finish();
#ifdef FIXED
  musaFree(in);
#endif
}
