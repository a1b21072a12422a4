#include "problem.h"

constexpr int kWidth = Stencil::kWidth, kHeight = Stencil::kHeight;

static void stencilBlock(int bx, int by, int n, const float* __restrict in, float* __restrict out) {
  alignas(64) float tile[kHeight + 2][kWidth + 2];
  const int x0 = bx * kWidth, y0 = by * kHeight;
  for (int ty = -1; ty <= kHeight; ++ty) {
    const int y = y0 + ty;
    if (y < 0 || y >= n) {
      for (int tx = 0; tx < kWidth; ++tx) tile[ty + 1][tx + 1] = 0;
    } else {
#pragma omp simd
      for (int tx = 0; tx < kWidth; ++tx) tile[ty + 1][tx + 1] = in[y * n + x0 + tx];
    }
  }
  for (int ty = 0; ty < kHeight; ++ty) {
    tile[ty + 1][0] = x0 > 0 ? in[(y0 + ty) * n + x0 - 1] : 0.0f;
    tile[ty + 1][kWidth + 1] = x0 + kWidth < n ? in[(y0 + ty) * n + x0 + kWidth] : 0.0f;
  }
  for (int ty = 0; ty < kHeight; ++ty) {
#pragma omp simd
    for (int tx = 0; tx < kWidth; ++tx) {
      out[(y0 + ty) * n + x0 + tx] =
          0.5f * tile[ty + 1][tx + 1] +
          0.125f * (tile[ty][tx + 1] + tile[ty + 2][tx + 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 2]);
    }
  }
}

static void stencil(const Stencil& p, Stencil::Data<bench::Buffer>& d) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int by = 0; by < p.n / kHeight; ++by) {
    for (int bx = 0; bx < p.n / kWidth; ++bx) stencilBlock(bx, by, p.n, d.in.data(), d.out.data());
  }
}

BENCH_HOST(Stencil, stencil)
