// Row by row; the inner loop streams through rows of b and c.
#include "problem.h"

static void matmul(const Matmul& p, Matmul::Data<bench::Buffer>& d) {
  const int n = p.n;
  const float *a = d.a.data(), *b = d.b.data();
  float* c = d.c.data();
#pragma omp parallel for schedule(static)
  for (int row = 0; row < n; ++row) {
    float* out = c + size_t(row) * n;
    std::fill_n(out, n, 0.0f);
    for (int k = 0; k < n; ++k) {
      const float factor = a[size_t(row) * n + k];
      const float* from = b + size_t(k) * n;
#pragma omp simd
      for (int column = 0; column < n; ++column) out[column] += factor * from[column];
    }
  }
}

BENCH_HOST(Matmul, matmul)
