#include "problem.h"

static void layerNormRow(const float* __restrict in, const float* __restrict gain,
                         const float* __restrict bias, float* __restrict out) {
  constexpr int kColumns = LayerNorm::kColumns;
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < kColumns; ++i) sum += in[i];
  const float mean = sum / kColumns;
  float squares = 0;
#pragma omp simd reduction(+ : squares)
  for (int i = 0; i < kColumns; ++i) squares += (in[i] - mean) * (in[i] - mean);
  const float scale = 1.0f / std::sqrt(squares / kColumns + LayerNorm::kEpsilon);
#pragma omp simd
  for (int i = 0; i < kColumns; ++i) out[i] = (in[i] - mean) * scale * gain[i] + bias[i];
}

static void layerNorm(const LayerNorm& p, LayerNorm::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < p.rows; ++row) {
    const size_t first = size_t(row) * LayerNorm::kColumns;
    layerNormRow(d.in.data() + first, d.gain.data(), d.bias.data(), d.out.data() + first);
  }
}

BENCH_HOST(LayerNorm, layerNorm)
