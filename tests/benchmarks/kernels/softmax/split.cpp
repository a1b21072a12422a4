#include "problem.h"

constexpr int kThreads = Softmax::kThreads;

template <class Combine>
static void reduceParts(float* part, Combine combine) {
  for (int step = kThreads / 2; step > 0; step /= 2) {
#pragma omp simd
    for (int t = 0; t < step; ++t) part[t] = combine(part[t], part[t + step]);
  }
}

static void softmaxBlock(int columns, const float* __restrict row, float* __restrict out) {
  alignas(64) float part[kThreads];
  for (int t = 0; t < kThreads; ++t) part[t] = row[t];
  for (int first = kThreads; first < columns; first += kThreads) {
#pragma omp simd
    for (int t = 0; t < kThreads; ++t) part[t] = part[t] > row[first + t] ? part[t] : row[first + t];
  }
  reduceParts(part, [](float a, float b) { return a > b ? a : b; });
  const float largest = part[0];
  for (int t = 0; t < kThreads; ++t) part[t] = 0;
  for (int first = 0; first < columns; first += kThreads) {
#pragma omp simd
    for (int t = 0; t < kThreads; ++t) part[t] += std::exp(row[first + t] - largest);
  }
  reduceParts(part, [](float a, float b) { return a + b; });
  const float scale = 1.0f / part[0];
  for (int first = 0; first < columns; first += kThreads) {
#pragma omp simd
    for (int t = 0; t < kThreads; ++t) out[first + t] = std::exp(row[first + t] - largest) * scale;
  }
}

static void softmax(const Softmax& p, Softmax::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < p.rows; ++row) {
    const size_t first = size_t(row) * Softmax::kColumns;
    softmaxBlock(Softmax::kColumns, d.in.data() + first, d.out.data() + first);
  }
}

BENCH_HOST(Softmax, softmax)
