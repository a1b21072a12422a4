// Reads one element behind a buffer.
// expect: Invalid __global__ read of size 4 bytes
// expect: at sum(float const*, float*, int) in @BUG
// expect: by thread (15,0,0) in block (0,0,0)
// expect: and is 1 bytes after the nearest allocation at
// expect: of size 64 bytes
// expect: errors: 1
#include "../bug.h"

__global__ void sum(const float* in, float* out, int n) {
  int i = threadIdx.x;
#ifdef FIXED
  if (i + 1 < n) out[i] = in[i] + in[i + 1];
#else
  out[i] = in[i] + in[i + 1];  // BUG
#endif
}

int main() {
  DeviceArray<float> in(16), out(16);
  sum<<<1, 16>>>(in, out, 16);
  finish();
}
