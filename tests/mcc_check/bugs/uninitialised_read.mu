// Memory straight from musaMalloc.
// expect: Uninitialized __global__ memory read of size 4 bytes
// expect: at sum(int const*, int*) in @BUG
// expect: by thread (0,0,0) in block (0,0,0)
// expect: errors: 8
#include "../bug.h"

__global__ void sum(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }  // BUG

int main() {
  int* in;
  musaMalloc(&in, 32);
#ifdef FIXED
  musaMemset(in, 0, 32);
#endif
  DeviceArray<int> out(8);
  sum<<<1, 8>>>(in, out);
  finish();
}
