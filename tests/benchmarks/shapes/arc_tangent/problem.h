// The angle of a vector by a polynomial of degree eleven and the octant's corrections.
#pragma once

#include "harness/serve.h"

struct ArcTangent {
  using Output = float;
  static constexpr int kThreads = 256;

  explicit ArcTangent(bench::Size size) : n(bench::pick(size, 1000, 1 << 17, 1 << 23)) {}

  int blocks() const { return (n + kThreads - 1) / kThreads; }
  static float x(size_t i) { return 2 * bench::uniform(1, i) - 1; }
  static float y(size_t i) { return 2 * bench::uniform(2, i) - 1; }
  size_t outputCount() const { return size_t(n); }
  double error(const float* got) const {
    return bench::largestError(
        got, outputCount(), [](size_t i) { return std::atan2(double(y(i)), double(x(i))); }, 0, 2e-5);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const ArcTangent& p) : x(p.n), y(p.n), out(p.n) {
      x.fill(ArcTangent::x);
      y.fill(ArcTangent::y);
    }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> x, y, out;
  };

  int n;
};
