// A plain read of a counter that others still increase: a warning only.
// expect: Race reported between Atomic access at count(int*) in @BUG
// expect: and Read access at count(int*) in @READ
// expect: one of them atomic
// expect: errors: 0
// expect: warnings: 1
#include "../bug.h"

__global__ void count(int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, 1);  // BUG
#ifdef FIXED
  __syncthreads();
#endif
  if (threadIdx.x == 40) *out = total;  // READ
}

int main() {
  DeviceArray<int> out(1);
  count<<<1, 64>>>(out);
  finish();
}
