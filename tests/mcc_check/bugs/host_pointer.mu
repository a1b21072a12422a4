// A pointer to the host's own memory.
// expect: Invalid __global__ read of size 4 bytes
// expect: at copy(int const*, int*) in @BUG
// expect: by thread (0,0,0) in block (0,0,0)
// expect: and is host memory that the device cannot reach
// expect: errors: 1
#include "../bug.h"

__global__ void copy(const int* in, int* out) { *out = *in; }  // BUG

int main() {
  int* in = new int(5);
  DeviceArray<int> out(1);
#ifdef FIXED
  musaHostRegister(in, sizeof *in, 0);
#endif
  copy<<<1, 1>>>(in, out);
  finish();
}
