#include "problem.h"

static void saxpy(const Saxpy& p, Saxpy::Data<bench::Buffer>& d) {
  const float *x = d.x.data(), a = Saxpy::kA;
  float* y = d.y.data();
#pragma omp parallel for schedule(static)
  for (int block = 0; block < p.blocks(); ++block) {
    const int first = block * Saxpy::kThreads;
    const int threads = std::min(Saxpy::kThreads, p.n - first);
#pragma omp simd
    for (int t = 0; t < threads; ++t) y[first + t] = a * x[first + t] + y[first + t];
  }
}

BENCH_HOST(Saxpy, saxpy)
