// Four counters per value, so that equal neighbours do not wait for each other's store.
#include "problem.h"

static void histogram(const Histogram& p, Histogram::Data<bench::Buffer>& d) {
  const unsigned* in = d.in.data();
#pragma omp parallel
  {
    alignas(64) unsigned part[4][Histogram::kBins] = {};
#pragma omp for schedule(static) nowait
    for (int i = 0; i < p.n; ++i) {
      const unsigned word = in[i];
      ++part[0][word & 255];
      ++part[1][(word >> 8) & 255];
      ++part[2][(word >> 16) & 255];
      ++part[3][word >> 24];
    }
    for (int bin = 0; bin < Histogram::kBins; ++bin) {
      const unsigned sum = part[0][bin] + part[1][bin] + part[2][bin] + part[3][bin];
#pragma omp atomic
      d.counts.data()[bin] += sum;
    }
  }
}

BENCH_HOST(Histogram, histogram)
