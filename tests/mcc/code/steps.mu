// Steps in shared memory, written out: of many of them a kernel has very many loops.
#include <musa_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 64;

template <int Steps>
__global__ void steps(float* data) {
  __shared__ float part[kThreads];
  part[threadIdx.x] = data[threadIdx.x];
#pragma unroll
  for (int k = 0; k < Steps; ++k) {
    __syncthreads();
    const float other = part[(threadIdx.x + k % 8 + 1) % kThreads];
    __syncthreads();
    part[threadIdx.x] = 0.5f * part[threadIdx.x] + 0.25f * other;
  }
  data[threadIdx.x] = part[threadIdx.x];
}

template <int Steps>
static bool isRight() {
  std::vector<float> expected(kThreads), found(kThreads);
  for (int i = 0; i < kThreads; ++i) expected[i] = static_cast<float>(i % 13);
  float* data = nullptr;
  musaMalloc(&data, kThreads * sizeof(float));
  musaMemcpy(data, expected.data(), kThreads * sizeof(float), musaMemcpyHostToDevice);
  steps<Steps><<<1, kThreads>>>(data);
  musaMemcpy(found.data(), data, kThreads * sizeof(float), musaMemcpyDeviceToHost);
  for (int k = 0; k < Steps; ++k) {
    const std::vector<float> before = expected;
    for (int i = 0; i < kThreads; ++i)
      expected[i] = 0.5f * before[i] + 0.25f * before[(i + k % 8 + 1) % kThreads];
  }
  for (int i = 0; i < kThreads; ++i) {
    const float apart = found[i] - expected[i], most = 1e-5f * expected[i];
    if (apart > most || apart < -most)
      return std::printf("step %d, thread %d: %g, not %g\n", Steps, i, found[i], expected[i]), false;
  }
  return true;
}

int main() { return isRight<8>() && isRight<64>() ? 0 : 1; }
