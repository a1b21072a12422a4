// Functions that kernels of another file call, with barriers and warp operations inside.
#include "shared.h"

__device__ int Box::area() const { return a * b; }

__device__ int blockSum(int value) {
  __shared__ int sums[128];
  const unsigned i = threadIdx.x;
  sums[i] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (i < half) sums[i] += sums[i + half];
    __syncthreads();
  }
  const int sum = sums[0];
  __syncthreads();
  return sum;
}

__device__ int warpSum(int value) {
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_xor_sync(0xffffffffu, value, lane);
  return value;
}

// Not inlined anywhere: needs a stack per thread.
__device__ int recursiveSum(int depth, int value) {
  const int sum = blockSum(value);
  return depth == 0 ? sum : sum + recursiveSum(depth - 1, value + 1);
}

namespace {
__device__ int twice(int x) { return 2 * x; }
__device__ int next(int x) { return x + 1; }
}  // namespace

__device__ Step steps[2] = {twice, next};
