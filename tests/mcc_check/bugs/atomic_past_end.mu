// A counter behind the others.
// expect: Invalid __global__ atomic of size 4 bytes
// expect: at count(int const*, int*) in @BUG
// expect: by thread (7,0,0) in block (0,0,0)
// expect: and is 1 bytes after the nearest allocation at
// expect: errors: 1
#include "../bug.h"

__global__ void count(const int* keys, int* bins) {
#ifdef FIXED
  atomicAdd(&bins[keys[threadIdx.x] % 7], 1);
#else
  atomicAdd(&bins[keys[threadIdx.x]], 1);  // BUG
#endif
}

int main() {
  const int keys[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  DeviceArray<int> in(keys), bins(7);
  count<<<1, 8>>>(in, bins);
  finish();
}
