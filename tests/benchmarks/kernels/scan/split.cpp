#include "problem.h"

constexpr int kThreads = Scan::kThreads;

static void scanBlock(int block, int n, const unsigned* in, unsigned* out, unsigned* sums) {
  alignas(64) unsigned part[2][kThreads];
  const int first = block * kThreads, threads = std::min(kThreads, n - first);
  for (int t = 0; t < kThreads; ++t) part[0][t] = t < threads ? in[first + t] : 0;
  int from = 0;
  for (int step = 1; step < kThreads; step *= 2) {
    const unsigned* __restrict old = part[from];
    unsigned* __restrict next = part[1 - from];
    for (int t = 0; t < step; ++t) next[t] = old[t];
#pragma omp simd
    for (int t = step; t < kThreads; ++t) next[t] = old[t] + old[t - step];
    from = 1 - from;
  }
  for (int t = 0; t < threads; ++t) out[first + t] = part[from][t];
  sums[block] = part[from][kThreads - 1];
}

static void scan(int n, const unsigned* in, unsigned* out, unsigned* sums, unsigned* scanned) {
  const int blocks = Scan::blocks(n);
#pragma omp parallel for schedule(static)
  for (int block = 0; block < blocks; ++block) scanBlock(block, n, in, out, sums);
  if (blocks == 1) return;
  scan(blocks, sums, scanned, sums + blocks, scanned + blocks);
#pragma omp parallel for schedule(static)
  for (int block = 1; block < blocks; ++block) {
    const int first = block * kThreads, threads = std::min(kThreads, n - first);
#pragma omp simd
    for (int t = 0; t < threads; ++t) out[first + t] += scanned[block - 1];
  }
}

static void scanAll(const Scan& p, Scan::Data<bench::Buffer>& d) {
  scan(p.n, d.in.data(), d.out.data(), d.sums.data(), d.scanned.data());
}

BENCH_HOST(Scan, scanAll)
