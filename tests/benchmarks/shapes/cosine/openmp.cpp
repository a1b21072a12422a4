#include "problem.h"

static void cosine(const Cosine& p, Cosine::Data<bench::Buffer>& d) {
  constexpr int kSide = Cosine::kSide, kTile = Cosine::kTile;
  alignas(64) float matrix[kTile], turned[kTile];
  for (int i = 0; i < kTile; ++i) {
    matrix[i] = d.matrix.data()[i];
    turned[i % kSide * kSide + i / kSide] = d.matrix.data()[i];
  }
#pragma omp parallel for schedule(static)
  for (int tile = 0; tile < p.tiles; ++tile) {
    const float* __restrict in = d.in.data() + size_t(tile) * kTile;
    float* __restrict out = d.out.data() + size_t(tile) * kTile;
    alignas(64) float half[kTile];
    for (int y = 0; y < kSide; ++y) {
#pragma omp simd
      for (int x = 0; x < kSide; ++x) {
        float sum = 0;
        for (int k = 0; k < kSide; ++k) sum += in[y * kSide + k] * turned[k * kSide + x];
        half[y * kSide + x] = sum;
      }
    }
    for (int y = 0; y < kSide; ++y) {
#pragma omp simd
      for (int x = 0; x < kSide; ++x) {
        float sum = 0;
        for (int k = 0; k < kSide; ++k) sum += matrix[y * kSide + k] * half[k * kSide + x];
        out[y * kSide + x] = sum;
      }
    }
  }
}

BENCH_HOST(Cosine, cosine)
