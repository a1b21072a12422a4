// Laplace's operator over seven points of a cube, by tiles of 32 x 8 in shared memory that go through the
// planes.
#pragma once

#include "harness/serve.h"

struct Laplace {
  using Output = float;
  static constexpr int kTileX = 32, kTileY = 8;

  // A border of zeros surrounds the cube in memory.
  explicit Laplace(bench::Size size) : n(bench::pick(size, 32, 64, 256)) {}

  size_t side() const { return size_t(n) + 2; }
  size_t index(size_t z, size_t y, size_t x) const { return (z * side() + y) * side() + x; }
  float value(size_t at) const {
    const size_t x = at % side(), y = at / side() % side(), z = at / side() / side(), last = side() - 1;
    return x == 0 || y == 0 || z == 0 || x == last || y == last || z == last ? 0.0f : bench::uniform(1, at);
  }
  size_t outputCount() const { return side() * side() * side(); }
  double error(const float* got) const {
    auto want = [this](size_t at) {
      const size_t x = at % side(), y = at / side() % side(), z = at / side() / side(), last = side() - 1;
      if (x == 0 || y == 0 || z == 0 || x == last || y == last || z == last) return 0.0;
      return double(value(at - 1)) + value(at + 1) + value(at - side()) + value(at + side()) +
             value(at - side() * side()) + value(at + side() * side()) - 6.0 * value(at);
    };
    return bench::largestError(got, outputCount(), want, 0, 1e-5);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Laplace& p) : in(p.outputCount()), out(p.outputCount()) {
      in.fill([&p](size_t at) { return p.value(at); });
    }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> in, out;
  };

  int n;
};
