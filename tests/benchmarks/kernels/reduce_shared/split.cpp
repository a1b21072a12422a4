#include "host.h"

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

static void reduce(int blocks, const float* in, float* out) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < blocks; ++block)
    out[block] = reduceBlock(in + size_t(block) * Reduce::kThreads);
}

using Split = HostReduce<reduce>;
BENCH_MAIN(Reduce, Split)
