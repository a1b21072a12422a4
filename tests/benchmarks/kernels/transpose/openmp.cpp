#include "problem.h"

static void transpose(const Transpose& p, Transpose::Data<bench::Buffer>& d) {
  const int n = p.n;
  const float* in = d.in.data();
  float* out = d.out.data();
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) out[y * n + x] = in[x * n + y];
  }
}

BENCH_HOST(Transpose, transpose)
