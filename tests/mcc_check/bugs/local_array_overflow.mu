// A private array with a loop that runs too far.
// expect: Invalid __local__ write of size 4 bytes
// expect: at histogram(int const*, int*, int) in @BUG
// expect: by thread (0,0,0) in block (0,0,0)
// expect: and is 1 bytes after the variable
// expect: of size 32 bytes
// expect: errors: 2
#include "../bug.h"

__global__ void histogram(const int* in, int* out, int bins) {
  int counts[8];
  for (int i = 0; i < bins; ++i) counts[i] = 0;  // BUG
  for (int i = 0; i < 4; ++i) counts[in[i] & 7]++;
  for (int i = 0; i < 8; ++i) out[i * 2 + threadIdx.x] = counts[i];
}

int main() {
  DeviceArray<int> in(4), out(16);
#ifdef FIXED
  histogram<<<1, 2>>>(in, out, 8);
#else
  histogram<<<1, 2>>>(in, out, 9);
#endif
  finish();
}
