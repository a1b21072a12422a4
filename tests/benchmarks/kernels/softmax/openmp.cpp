#include "problem.h"

static void softmaxRow(const float* __restrict in, float* __restrict out) {
  float largest = in[0];
#pragma omp simd reduction(max : largest)
  for (int i = 1; i < Softmax::kColumns; ++i) largest = largest > in[i] ? largest : in[i];
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < Softmax::kColumns; ++i) {
    out[i] = std::exp(in[i] - largest);
    sum += out[i];
  }
  const float scale = 1.0f / sum;
#pragma omp simd
  for (int i = 0; i < Softmax::kColumns; ++i) out[i] *= scale;
}

static void softmax(const Softmax& p, Softmax::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < p.rows; ++row) {
    const size_t first = size_t(row) * Softmax::kColumns;
    softmaxRow(d.in.data() + first, d.out.data() + first);
  }
}

BENCH_HOST(Softmax, softmax)
