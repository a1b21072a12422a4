// Kernels of several kinds, all but longCode with a body for AVX-512 processors too: prints a sum over the
// results of each.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kThreads = 256, kBlocks = 8, kCount = kThreads * kBlocks;

// Enough to calculate that a second body is worth it; exact.
__device__ float busy(float value) {
  for (int round = 0; round < 100; ++round) value = value * 0.5f + 8.0f - value * 0.5f + value - 8.0f;
  return value;
}

__device__ __noinline__ float square(float value) { return value * value; }
typedef float (*Function)(float);
__device__ Function functions[1] = {square};

__global__ void plain(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = busy(0.5f * static_cast<float>(i) + 1.0f);
}

__global__ void calls(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool same = functions[0] == square;  // one address, whatever body asks
  out[i] = busy(square(static_cast<float>(i % 31)) + functions[0](2.0f) + (same ? 1.0f : 1000.0f));
}

__global__ void barriers(float* out) {
  __shared__ float values[kThreads];
  values[threadIdx.x] = busy(static_cast<float>(threadIdx.x));
  for (int step = kThreads / 2; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) values[threadIdx.x] += values[threadIdx.x + step];
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = values[0];
}

__global__ void warps(float* out) {
  float value = busy(static_cast<float>(threadIdx.x % 32));
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffu, value, mask);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void leavesOneByOne(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = static_cast<float>(i % 100) + 1.0f;
  int rounds = 0;
  while (value > 0.5f && rounds < 60) {
    value = value * 0.75f - 0.001f;
    ++rounds;
  }
  out[i] = static_cast<float>(rounds);
}

// Too long for a second body to be worth its compilation.
__global__ void longCode(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float start = static_cast<float>(i % 16);
  float value = start;
#pragma unroll
  for (int round = 0; round < 2500; ++round) value = value * 0.5f + start;
  out[i] = value;
}

int main() {
  float* device = nullptr;
  static float host[kCount];
  if (musaMalloc(&device, sizeof host) != musaSuccess) return 2;
  for (auto kernel : {plain, calls, barriers, warps, leavesOneByOne, longCode}) {
    kernel<<<kBlocks, kThreads>>>(device);
    if (musaMemcpy(host, device, sizeof host, musaMemcpyDeviceToHost) != musaSuccess) return 3;
    double sum = 0;
    for (int i = 0; i < kCount; ++i) sum += host[i] * (i % 7 + 1);
    std::printf("%.1f\n", sum);
  }
  return 0;
}
