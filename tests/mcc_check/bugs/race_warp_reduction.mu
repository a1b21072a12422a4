// A warp-synchronous reduction as written before Volta: no __syncwarp. compute-sanitizer warns of it as well (CUDA
// 13.0, H200).
// expect: Race reported between
// expect: at reduce(int*) in @BUG
// expect: both of one warp
// expect: errors: 0
// expect: warnings: 1
#include "../bug.h"

__global__ void reduce(int* data) {
  __shared__ int sums[32];
  int i = threadIdx.x;
  sums[i] = data[i];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    int value = i < step ? sums[i + step] : 0;
#ifdef FIXED
    __syncwarp();
#endif
    if (i < step) sums[i] += value;  // BUG
#ifdef FIXED
    __syncwarp();
#endif
  }
  if (i == 0) data[0] = sums[0];
}

int main() {
  DeviceArray<int> data(32);
  reduce<<<1, 32>>>(data);
  finish();
}
