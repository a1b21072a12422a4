// A flag that many threads set: a warning only.
// expect: Warning: Race reported between Write access at any(int const*, int*) in @BUG
// expect: both with the same value
// expect: errors: 0
// expect: warnings: 1
#include "../bug.h"

__global__ void any(const int* in, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
#ifdef FIXED
  if (in[threadIdx.x] == 0) atomicExch(&found, 1);
#else
  if (in[threadIdx.x] == 0) found = 1;  // BUG
#endif
  __syncthreads();
  out[threadIdx.x] = found;
}

int main() {
  DeviceArray<int> in(32), out(32);
  any<<<1, 32>>>(in, out);
  finish();
}
