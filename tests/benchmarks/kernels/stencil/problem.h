// Five-point stencil over 4096 x 4096 floats, zero outside; tiles of 32 x 8 with a halo in shared memory.
#pragma once

#include "harness/serve.h"

struct Stencil {
  using Output = float;
  static constexpr int kWidth = 32, kHeight = 8;

  explicit Stencil(bench::Size size) : n(bench::pick(size, 96, 1024, 4096)) {}

  static float in(size_t i) { return bench::uniform(1, i); }
  size_t outputCount() const { return size_t(n) * n; }
  double error(const float* got) const {
    auto at = [this](int64_t y, int64_t x) {
      return y < 0 || x < 0 || y >= n || x >= n ? 0.0 : in(y * n + x);
    };
    auto want = [&](size_t i) {
      const int64_t y = i / n, x = i % n;
      return 0.5 * at(y, x) + 0.125 * (at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1));
    };
    return bench::largestError(got, outputCount(), want, 0, 5e-7);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Stencil& p) : in(p.outputCount()), out(p.outputCount()) { in.fill(Stencil::in); }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> in, out;
  };

  int n;
};
