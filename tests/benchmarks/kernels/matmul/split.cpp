#include "problem.h"

constexpr int kTile = Matmul::kTile;

// One block: the loop over tiles is uniform, each region between its barriers is a loop over the threads.
static void matmulBlock(int bx, int by, int n, const float* __restrict a, const float* __restrict b,
                        float* __restrict c) {
  alignas(64) float as[kTile][kTile], bs[kTile][kTile], sum[kTile][kTile] = {};
  for (int tile = 0; tile < n / kTile; ++tile) {
    for (int ty = 0; ty < kTile; ++ty) {
#pragma omp simd
      for (int tx = 0; tx < kTile; ++tx) {
        as[ty][tx] = a[(by * kTile + ty) * n + tile * kTile + tx];
        bs[ty][tx] = b[(tile * kTile + ty) * n + bx * kTile + tx];
      }
    }
    for (int ty = 0; ty < kTile; ++ty) {
      for (int k = 0; k < kTile; ++k) {
#pragma omp simd
        for (int tx = 0; tx < kTile; ++tx) sum[ty][tx] += as[ty][k] * bs[k][tx];
      }
    }
  }
  for (int ty = 0; ty < kTile; ++ty) {
    for (int tx = 0; tx < kTile; ++tx) c[(by * kTile + ty) * n + bx * kTile + tx] = sum[ty][tx];
  }
}

static void matmul(const Matmul& p, Matmul::Data<bench::Buffer>& d) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int by = 0; by < p.tiles(); ++by) {
    for (int bx = 0; bx < p.tiles(); ++bx) matmulBlock(bx, by, p.n, d.a.data(), d.b.data(), d.c.data());
  }
}

BENCH_HOST(Matmul, matmul)
