#include "problem.h"

// The steps are unrolled by the compiler when it knows the block's size; a step reads what no thread of
// the same step writes.
static float reduceBlock(const float* in) {
  alignas(64) float part[Reduce::kThreads];
  for (int t = 0; t < Reduce::kThreads; ++t) part[t] = in[t];
  for (int step = Reduce::kThreads / 2; step > 0; step /= 2) {
#pragma omp simd
    for (int t = 0; t < step; ++t) part[t] += part[t + step];
  }
  return part[0];
}

static void reduce(const Reduce& p, Reduce::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < p.blocks(); ++block) {
    d.out.data()[block] = reduceBlock(d.in.data() + size_t(block) * Reduce::kThreads);
  }
}

BENCH_HOST(Reduce, reduce)
