// Transpose of 4096 x 4096 floats through a padded tile of 32 x 32: blocks of 32 x 8 threads, 4 rows each.
#pragma once

#include "harness/serve.h"

struct Transpose {
  using Output = float;
  static constexpr int kTile = 32, kRows = 8;

  explicit Transpose(bench::Size size) : n(bench::pick(size, 96, 1024, 4096)) {}

  int tiles() const { return n / kTile; }
  static float in(size_t i) { return bench::uniform(1, i); }
  size_t outputCount() const { return size_t(n) * n; }
  double error(const float* got) const {
    return bench::largestError(
        got, outputCount(), [&](size_t i) { return double{in(i % n * n + i / n)}; }, 0, 1e-30);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Transpose& p) : in(p.outputCount()), out(p.outputCount()) { in.fill(Transpose::in); }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> in, out;
  };

  int n;
};
