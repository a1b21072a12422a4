// What a kernel adds to was written by nobody, and is what it writes.
// expect: Uninitialized __global__ memory read of size 4 bytes
// expect: at accumulate(int*, int const*) in @BUG
// expect: by thread (0,0,0) in block (
// expect: errors: 1024
#include "../bug.h"

__global__ void accumulate(int* sums, const int* in) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  sums[i] = sums[i] + in[i];  // BUG
}

int main() {
  constexpr int count = 1024;
  DeviceArray<int> in(count);
  int* sums;
  musaMalloc(&sums, count * sizeof(int));
#ifdef FIXED
  musaMemset(sums, 0, count * sizeof(int));
#endif
  accumulate<<<32, 32>>>(sums, in);
  finish();
}
