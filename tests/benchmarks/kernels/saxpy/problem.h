// y = a x + y over 2^25 floats: bound by memory.
#pragma once

#include "harness/serve.h"

struct Saxpy {
  using Output = float;
  static constexpr float kA = 0.75f;
  static constexpr int kThreads = 256;

  explicit Saxpy(bench::Size size) : n(bench::pick(size, 1000, 1 << 22, 1 << 25)) {}

  int blocks() const { return (n + kThreads - 1) / kThreads; }
  static float x(size_t i) { return bench::uniform(1, i); }
  static float y(size_t i) { return bench::uniform(2, i); }
  size_t outputCount() const { return n; }
  double error(const float* got) const {
    return bench::largestError(got, n, [](size_t i) { return double{kA} * x(i) + double{y(i)}; }, 3e-7, 0);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Saxpy& p) : x(p.n), y(p.n) { x.fill(Saxpy::x); }
    void reset() { y.fill(Saxpy::y); }
    void result(float* out) { y.read(out); }
    Memory<float> x, y;
  };

  int n;
};
