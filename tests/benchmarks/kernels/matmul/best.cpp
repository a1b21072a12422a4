// Register blocks over packed panels of b that stay in the first-level cache.
#include "problem.h"

#ifdef __AVX512F__
constexpr int kVector = 16, kRows = 8;
#else
constexpr int kVector = 8, kRows = 4;
#endif
constexpr int kColumns = 2 * kVector, kDepth = 256;
typedef float Vector __attribute__((vector_size(kVector * sizeof(float)), aligned(4)));

// kRows x kColumns of c += rows of a times the packed panel.
static void multiplyBlock(int n, int depth, const float* a, const float* panel, float* c) {
  Vector sum[kRows][2] = {};
  for (int k = 0; k < depth; ++k) {
    const Vector left = *reinterpret_cast<const Vector*>(panel + k * kColumns);
    const Vector right = *reinterpret_cast<const Vector*>(panel + k * kColumns + kVector);
#pragma GCC unroll 8
    for (int row = 0; row < kRows; ++row) {
      sum[row][0] += a[size_t(row) * n + k] * left;
      sum[row][1] += a[size_t(row) * n + k] * right;
    }
  }
  for (int row = 0; row < kRows; ++row) {
    Vector* out = reinterpret_cast<Vector*>(c + size_t(row) * n);
    out[0] += sum[row][0];
    out[1] += sum[row][1];
  }
}

static void multiplyPanel(int n, int column, const float* a, const float* b, float* c) {
  alignas(64) float panel[kDepth * kColumns];
  for (int first = 0; first < n; first += kDepth) {
    const int depth = std::min(kDepth, n - first);
    for (int k = 0; k < depth; ++k)
      std::copy_n(b + size_t(first + k) * n + column, kColumns, panel + k * kColumns);
    for (int row = 0; row < n; row += kRows) {
      multiplyBlock(n, depth, a + size_t(row) * n + first, panel, c + size_t(row) * n + column);
    }
  }
}

static void matmul(const Matmul& p, Matmul::Data<bench::Buffer>& d) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int row = 0; row < p.n; ++row) std::fill_n(d.c.data() + size_t(row) * p.n, p.n, 0.0f);
#pragma omp for schedule(static)
    for (int column = 0; column < p.n; column += kColumns) {
      multiplyPanel(p.n, column, d.a.data(), d.b.data(), d.c.data());
    }
  }
}

BENCH_HOST(Matmul, matmul)
