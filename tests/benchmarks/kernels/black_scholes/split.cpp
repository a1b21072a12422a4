#include "option.h"

static void blackScholes(const BlackScholes& p, BlackScholes::Data<bench::Buffer>& d) {
  const float *price = d.price.data(), *strike = d.strike.data(), *years = d.years.data();
  float *calls = d.out.data(), *puts = calls + p.n;
#pragma omp parallel for schedule(static)
  for (int block = 0; block < p.blocks(); ++block) {
    const int first = block * BlackScholes::kThreads, end = std::min(first + BlackScholes::kThreads, p.n);
#pragma omp simd
    for (int i = first; i < end; ++i) priceOption(price[i], strike[i], years[i], calls[i], puts[i]);
  }
}

BENCH_HOST(BlackScholes, blackScholes)
