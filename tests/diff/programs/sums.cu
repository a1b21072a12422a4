// Numbers, their sums by a tree in shared memory and by shuffles, and the numbers over their sum.
#include "common.h"

constexpr int kCount = 1 << 15, kThreads = 256;

__global__ void make(double* seeds, float* numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  seeds[i] = sqrt(i + 1.0) / 7;
  numbers[i] = static_cast<float>(seeds[i] - floor(seeds[i])) + 0.5f;
}

template <class T>
__global__ void treeSums(const T* numbers, T* sums) {
  __shared__ T part[kThreads];
  const int t = threadIdx.x;
  part[t] = numbers[blockIdx.x * kThreads + t];
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
#if FAULT != 6
    __syncthreads();
#endif
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

__global__ void rowSums(const float* numbers, float* sums, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
#if FAULT == 7
  __half sum = __float2half(0.0f);
  for (int i = 0; i < columns; ++i) sum = __hadd(sum, __float2half(numbers[row * columns + i]));
  sums[row] = __half2float(sum);
#else
#if FAULT == 10
  float sum = 1;
#else
  float sum = 0;
#endif
  for (int i = 0; i < columns; ++i) sum += numbers[row * columns + i];
  sums[row] = sum;
#endif
}

__global__ void warpSums(const float* sums, float* total) {
#if FAULT == 8
  constexpr int kLanes = 16;
#else
  constexpr int kLanes = 32;
#endif
  float sum = 0;
  for (int i = threadIdx.x; i < kCount / kThreads; i += 32) sum += sums[i];
  for (int offset = kLanes / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset, kLanes);
  if (threadIdx.x == 0) *total = sum;
}

__global__ void share(const float* numbers, const float* total, float* shares) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if FAULT == 9
  shares[i] = *total / numbers[i];
#else
  shares[i] = numbers[i] / *total;
#endif
}

int main() {
  double* seeds = allocate<double>(kCount);
  float* numbers = allocate<float>(kCount);
  float* sums = allocate<float>(kCount / kThreads);
  float* rows = allocate<float>(kCount / 64);
  float* total = allocate<float>(1);
  float* shares = allocate<float>(kCount);
  make<<<kCount / kThreads, kThreads>>>(seeds, numbers);
  treeSums<float><<<kCount / kThreads, kThreads>>>(numbers, sums);
  rowSums<<<kCount / 64 / 128, 128>>>(numbers, rows, 64);
  warpSums<<<1, 32>>>(sums, total);
  share<<<kCount / kThreads, kThreads>>>(numbers, total, shares);
  return finish();
}
