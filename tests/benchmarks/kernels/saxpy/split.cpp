#include "problem.h"

static void saxpy(int blocks, int n, float a, const float* x, float* y) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < blocks; ++block) {
    const int first = block * Saxpy::kThreads;
    const int threads = std::min(Saxpy::kThreads, n - first);
#pragma omp simd
    for (int t = 0; t < threads; ++t) y[first + t] = a * x[first + t] + y[first + t];
  }
}

struct Split {
  explicit Split(const Saxpy& problem) : p(problem), x(p.n), y(p.n) { bench::fill(x, Saxpy::x); }
  void reset() { bench::fill(y, Saxpy::y); }
  void run(int times) {
    for (int i = 0; i < times; ++i) saxpy(p.blocks(), p.n, Saxpy::kA, x.data(), y.data());
  }
  void result(float* out) { std::copy(y.begin(), y.end(), out); }

  const Saxpy& p;
  bench::Buffer<float> x, y;
};

BENCH_MAIN(Saxpy, Split)
