// A chunk per thread: its sum first, then its running sum from those of the chunks before.
#include <omp.h>

#include <vector>

#include "problem.h"

static void scan(const Scan& p, Scan::Data<bench::Buffer>& d) {
  const unsigned* in = d.in.data();
  unsigned* out = d.out.data();
  std::vector<unsigned> sums(omp_get_max_threads() + 1);
#pragma omp parallel
  {
    const int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const int64_t first = p.n * thread / threads, end = p.n * (thread + 1) / threads;
    unsigned sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = first; i < end; ++i) sum += in[i];
    sums[thread + 1] = sum;
#pragma omp barrier
    unsigned running = 0;
    for (int64_t before = 0; before <= thread; ++before) running += sums[before];
    for (int64_t i = first; i < end; ++i) out[i] = running += in[i];
  }
}

BENCH_HOST(Scan, scan)
