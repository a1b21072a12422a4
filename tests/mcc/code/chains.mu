// Long chains of operations: the threads of a block are vectors whatever their length.
#include <musa_runtime.h>

#include <cmath>
#include <cstdio>

template <int steps>
__global__ void chain(float factor, float* data, float* out) {
  const unsigned first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  for (int round = 0; round < 2; ++round) {
    float sum = 0;
#pragma unroll
    for (int item = 0; item < 4; ++item) {
      float kept = data[first + item * blockDim.x];
#pragma unroll 128
      for (int step = 0; step < steps; ++step) kept = kept * 0.5f + factor;
      sum += kept;
    }
    out[first] = sum + round;
  }
}

constexpr int kThreads = 256;

template <int steps>
bool check(float* data, float* out) {
  chain<steps><<<1, kThreads>>>(0.25f, data, out);
  if (musaDeviceSynchronize() != musaSuccess) return false;
  for (int i = 0; i < kThreads; ++i) {
    float sum = 1;
    for (int item = 0; item < 4; ++item) {
      float kept = data[i + item * kThreads];
      for (int step = 0; step < steps; ++step) kept = kept * 0.5f + 0.25f;
      sum += kept;
    }
    if (std::fabs(out[i] - sum) > 1e-5f)
      return std::printf("%d steps: %g, not %g\n", steps, out[i], sum), false;
  }
  return true;
}

int main() {
  float *data = nullptr, *out = nullptr;
  musaMallocManaged(&data, 4 * kThreads * sizeof *data);
  musaMallocManaged(&out, 4 * kThreads * sizeof *out);
  for (int i = 0; i < 4 * kThreads; ++i) data[i] = static_cast<float>(i);
  const bool good =
      check<16>(data, out) & check<64>(data, out) & check<200>(data, out) & check<1024>(data, out);
  return good ? 0 : 1;
}
