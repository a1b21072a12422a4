#include "problem.h"

static void saxpy(const Saxpy& p, Saxpy::Data<bench::Buffer>& d) {
  const float *x = d.x.data(), a = Saxpy::kA;
  float* y = d.y.data();
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < p.n; ++i) y[i] = a * x[i] + y[i];
}

BENCH_HOST(Saxpy, saxpy)
