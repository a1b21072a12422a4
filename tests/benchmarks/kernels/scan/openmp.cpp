// The blocks' running sums, the running sum of their sums, its addition.
#include "problem.h"

constexpr int kBlock = Scan::kThreads;

static void scan(const Scan& p, Scan::Data<bench::Buffer>& d) {
  const int blocks = Scan::blocks(p.n);
  const unsigned* in = d.in.data();
  unsigned *out = d.out.data(), *sums = d.sums.data();
#pragma omp parallel for schedule(static)
  for (int block = 0; block < blocks; ++block) {
    const int first = block * kBlock, end = std::min(p.n, first + kBlock);
    unsigned running = 0;
    for (int i = first; i < end; ++i) out[i] = running += in[i];
    sums[block] = running;
  }
  for (int block = 1; block < blocks; ++block) sums[block] += sums[block - 1];
#pragma omp parallel for schedule(static)
  for (int block = 1; block < blocks; ++block) {
    const int first = block * kBlock, end = std::min(p.n, first + kBlock);
#pragma omp simd
    for (int i = first; i < end; ++i) out[i] += sums[block - 1];
  }
}

BENCH_HOST(Scan, scan)
