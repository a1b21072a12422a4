// Layer norm of 8192 rows of 1024 floats; a block of 256 threads per row, reductions by shuffles: every lane
// gets its warp's sum, shared memory carries the warps' sums.
#pragma once

#include "harness/serve.h"

struct LayerNorm {
  using Output = float;
  static constexpr int kThreads = 256, kColumns = 1024;
  static constexpr float kEpsilon = 1e-5f;

  explicit LayerNorm(bench::Size size) : rows(bench::pick(size, 5, 256, 8192)) {}

  static float in(size_t i) { return 4 * bench::uniform(1, i) - 1; }
  static float gain(size_t i) { return 0.5f + bench::uniform(2, i); }
  static float bias(size_t i) { return bench::uniform(3, i) - 0.5f; }
  size_t outputCount() const { return size_t(rows) * kColumns; }
  double error(const float* got) const {
    double worst = 0;
    for (int row = 0; row < rows; ++row) {
      const size_t first = size_t(row) * kColumns;
      double mean = 0, variance = 0;
      for (int i = 0; i < kColumns; ++i) mean += in(first + i) / double{kColumns};
      for (int i = 0; i < kColumns; ++i) variance += std::pow(in(first + i) - mean, 2) / kColumns;
      const double scale = 1 / std::sqrt(variance + kEpsilon);
      auto want = [&](size_t i) { return (in(first + i) - mean) * scale * gain(i) + bias(i); };
      worst = std::max(worst, bench::largestError(got + first, kColumns, want, 0, 1e-5));
    }
    return worst;
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const LayerNorm& p)
        : in(p.outputCount()), gain(kColumns), bias(kColumns), out(p.outputCount()) {
      in.fill(LayerNorm::in);
      gain.fill(LayerNorm::gain);
      bias.fill(LayerNorm::bias);
    }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> in, gain, bias, out;
  };

  int rows;
};
