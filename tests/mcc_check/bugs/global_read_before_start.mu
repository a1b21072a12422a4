// A stencil without its left edge.
// expect: Invalid __global__ read of size 8 bytes
// expect: at stencil(double const*, double*) in @BUG
// expect: by thread (0,0,0) in block (0,0,0)
// expect: and is 8 bytes before the nearest allocation at
// expect: errors: 1
#include "../bug.h"

__global__ void stencil(const double* in, double* out) {
  int i = threadIdx.x;
#ifdef FIXED
  if (i == 0) return;
#endif
  out[i] = in[i - 1];  // BUG
}

int main() {
  DeviceArray<double> out(8), in(8);  // `in` lies lower than anything else
  DeviceArray<double>& low = in.data < out.data ? in : out;
  stencil<<<1, 8>>>(low, &low == &in ? out : in);
  finish();
}
