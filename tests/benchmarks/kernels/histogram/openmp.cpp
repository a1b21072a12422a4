#include "problem.h"

static void histogram(const Histogram& p, Histogram::Data<bench::Buffer>& d) {
  const unsigned* in = d.in.data();
  unsigned* counts = d.counts.data();
#pragma omp parallel for schedule(static) reduction(+ : counts[ : Histogram::kBins])
  for (int i = 0; i < p.n; ++i) {
    const unsigned word = in[i];
    ++counts[word & 255];
    ++counts[(word >> 8) & 255];
    ++counts[(word >> 16) & 255];
    ++counts[word >> 24];
  }
}

BENCH_HOST(Histogram, histogram)
