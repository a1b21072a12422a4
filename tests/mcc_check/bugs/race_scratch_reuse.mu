// Two sums over the block that share an array. It goes well while warps go about in step, and is a race.
// expect: Error: Race reported between Read access at blockSum(int, int*) in @READ
// expect: and Write access at blockSum(int, int*) in @BUG
// expect: Potential WAR hazard detected
// expect: errors: 1
#include "../bug.h"

__device__ int blockSum(int value, int* part) {
  int warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize, sum = 0;
  for (int step = warpSize / 2; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
  if (lane == 0) part[warp] = value;  // BUG
  __syncthreads();
  for (int i = 0; i < static_cast<int>(blockDim.x) / warpSize; ++i) {
    sum += part[i];  // READ
  }
  return sum;
}

__global__ void sums(int* data) {
  __shared__ int part[32];
  int first = blockSum(data[threadIdx.x], part);
#ifdef FIXED
  __syncthreads();
#endif
  data[threadIdx.x] = blockSum(first, part);
}

int main() {
  DeviceArray<int> data(256);
  sums<<<1, 256>>>(data);
  finish();
}
