// Indices whose sums pass through negative numbers, and such that wrap where C++ lets them.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kThreads = 64, kRows = 8, kMargin = 1000;

// Sums of ints: in any order, some part of them is negative.
__global__ void ints(const float* in, float* out, int from, int row) {
  const int t = static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int i = 0; i < kRows; ++i) sum += in[from - row * i + t] - in[t - (row - i) - 3];
  out[t] = sum;
}

// Sums of unsigned ints, which wrap before they are indices.
__global__ void wrapping(const float* in, float* out, unsigned from) {
  const unsigned t = threadIdx.x;
  const int back = static_cast<int>(t - from), round = static_cast<int>(t + (0u - from) + from);
  out[t] = in[back] + in[round] + in[static_cast<int>(from + t * 0x40000000u * 4u)];
}

// Indices from memory, with a thread's number added, and of small types.
__global__ void loaded(const float* in, float* out, const int* where, short offset) {
  const int t = static_cast<int>(threadIdx.x);
  const short near = static_cast<short>(offset - t);
  out[t] = in[where[t] + t] + in[near + where[0]] + in[where[t] - near];
}

int main() {
  float *in = nullptr, *out = nullptr;
  int* where = nullptr;
  if (musaMallocManaged(&in, 3 * kMargin * sizeof *in) != musaSuccess) return 2;
  if (musaMallocManaged(&out, kThreads * sizeof *out) != musaSuccess) return 2;
  if (musaMallocManaged(&where, kThreads * sizeof *where) != musaSuccess) return 2;
  for (int i = 0; i < 3 * kMargin; ++i) in[i] = static_cast<float>(i * 7 % 1013);
  for (int i = 0; i < kThreads; ++i) where[i] = (i * 37) % 50 - 25;
  const float* middle = in + kMargin;
  int wrong = 0;
  const auto compare = [&](const char* kernel, auto expected) {
    if (musaDeviceSynchronize() != musaSuccess) wrong += 1000;
    int here = 0;
    for (int t = 0; t < kThreads; ++t) here += out[t] != expected(t);
    if (here != 0) std::printf("%s: %d wrong\n", kernel, here);
    wrong += here;
  };

  ints<<<1, kThreads>>>(middle, out, 100, 50);
  compare("ints", [&](int t) {
    float sum = 0;
    for (int i = 0; i < kRows; ++i) sum += middle[100 - 50 * i + t] - middle[t - (50 - i) - 3];
    return sum;
  });
  wrapping<<<1, kThreads>>>(middle, out, 40);
  compare("wrapping", [&](int t) { return middle[t - 40] + middle[t] + middle[40]; });
  loaded<<<1, kThreads>>>(middle, out, where, 30);
  compare("loaded", [&](int t) {
    return middle[where[t] + t] + middle[30 - t + where[0]] + middle[where[t] - (30 - t)];
  });
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
