#include "problem.h"

static void reduce(const Reduce& p, Reduce::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < p.blocks(); ++block) {
    const float* in = d.in.data() + size_t(block) * Reduce::kThreads;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < Reduce::kThreads; ++i) sum += in[i];
    d.out.data()[block] = sum;
  }
}

BENCH_HOST(Reduce, reduce)
