#include "option.h"

static void blackScholes(const BlackScholes& p, BlackScholes::Data<bench::Buffer>& d) {
  const float *price = d.price.data(), *strike = d.strike.data(), *years = d.years.data();
  float *calls = d.out.data(), *puts = calls + p.n;
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < p.n; ++i) priceOption(price[i], strike[i], years[i], calls[i], puts[i]);
}

BENCH_HOST(BlackScholes, blackScholes)
