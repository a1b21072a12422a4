#include "problem.h"

static float searchRow(const float* __restrict row) {
  float low = 0, high = 1e30f, beta = 1;
  for (int step = 0; step < Perplexity::kMostSteps; ++step) {
    float sum = 0, weighted = 0;
#pragma omp simd reduction(+ : sum, weighted)
    for (int i = 0; i < Perplexity::kColumns; ++i) {
      const float weight = std::exp(-beta * row[i]);
      sum += weight;
      weighted += row[i] * weight;
    }
    const float off = std::log(sum) + beta * weighted / sum - Perplexity::kWanted;
    if (std::fabs(off) < Perplexity::kTolerance) break;
    if (off > 0) {
      low = beta;
      beta = high > 1e29f ? beta * 2 : (beta + high) / 2;
    } else {
      high = beta;
      beta = (beta + low) / 2;
    }
  }
  return beta;
}

static void perplexity(const Perplexity& p, Perplexity::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int row = 0; row < p.rows; ++row)
    d.out.data()[row] = searchRow(d.distances.data() + size_t(row) * Perplexity::kColumns);
}

BENCH_HOST(Perplexity, perplexity)
