// Blocks of 16 x 16: one cache line of input per row, one of output per column, no copy in between.
#include "problem.h"

constexpr int kBlock = 16;

static void transpose(const Transpose& p, Transpose::Data<bench::Buffer>& d) {
  const int n = p.n;
  const float* __restrict in = d.in.data();
  float* __restrict out = d.out.data();
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; y += kBlock) {
    for (int x = 0; x < n; x += kBlock) {
      for (int row = 0; row < kBlock; ++row) {
        for (int i = 0; i < kBlock; ++i) out[(y + row) * n + x + i] = in[(x + i) * n + y + row];
      }
    }
  }
}

BENCH_HOST(Transpose, transpose)
