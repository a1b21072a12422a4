#include "problem.h"

constexpr int kThreads = Histogram::kThreads;

// Shared counters belong to one block, which one thread runs: no atomics there.
static void histogramBlock(int block, int blocks, int n, const unsigned* in, unsigned* counts) {
  alignas(64) unsigned part[Histogram::kBins] = {};
  for (int first = block * kThreads; first < n; first += blocks * kThreads) {
    const int threads = std::min(kThreads, n - first);
    for (int t = 0; t < threads; ++t) {
      const unsigned word = in[first + t];
      ++part[word & 255];
      ++part[(word >> 8) & 255];
      ++part[(word >> 16) & 255];
      ++part[word >> 24];
    }
  }
  for (int t = 0; t < kThreads; ++t) {
#pragma omp atomic
    counts[t] += part[t];
  }
}

static void histogram(const Histogram& p, Histogram::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < p.blocks(); ++block) {
    histogramBlock(block, p.blocks(), p.n, d.in.data(), d.counts.data());
  }
}

BENCH_HOST(Histogram, histogram)
