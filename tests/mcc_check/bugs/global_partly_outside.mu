// An 8-byte access whose end leaves the buffer.
// expect: Invalid __global__ read of size 8 bytes
// expect: at load(double const*, double*) in @BUG
// expect: by thread (2,0,0) in block (0,0,0)
// expect: and is 16 bytes inside, and ends 4 bytes after the nearest allocation at
// expect: of size 20 bytes
// expect: errors: 1
#include "../bug.h"

__global__ void load(const double* in, double* out) {
#ifdef FIXED
  if (threadIdx.x == 2) return;
#endif
  out[threadIdx.x] = in[threadIdx.x];  // BUG
}

int main() {
  DeviceArray<float> in(5);
  DeviceArray<double> out(3);
  load<<<1, 3>>>(reinterpret_cast<const double*>(in.data), out);
  finish();
}
