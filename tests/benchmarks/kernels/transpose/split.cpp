#include "problem.h"

constexpr int kTile = Transpose::kTile;

static void transposeBlock(int bx, int by, int n, const float* __restrict in, float* __restrict out) {
  alignas(64) float tile[kTile][kTile + 1];
  for (int y = 0; y < kTile; ++y) {
#pragma omp simd
    for (int x = 0; x < kTile; ++x) tile[y][x] = in[(by * kTile + y) * n + bx * kTile + x];
  }
  for (int y = 0; y < kTile; ++y) {
#pragma omp simd
    for (int x = 0; x < kTile; ++x) out[(bx * kTile + y) * n + by * kTile + x] = tile[x][y];
  }
}

static void transpose(const Transpose& p, Transpose::Data<bench::Buffer>& d) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int by = 0; by < p.tiles(); ++by) {
    for (int bx = 0; bx < p.tiles(); ++bx) transposeBlock(bx, by, p.n, d.in.data(), d.out.data());
  }
}

BENCH_HOST(Transpose, transpose)
