// C = A B for square matrices of 1024, tiles of TILE x TILE in shared memory.
#pragma once

#include <vector>

#include "harness/serve.h"

struct Matmul {
  using Output = float;
  static constexpr int kTile = TILE;

  explicit Matmul(bench::Size size) : n(bench::pick(size, 96, 256, 1024)) {}

  int tiles() const { return n / kTile; }
  static float a(size_t i) { return bench::uniform(1, i); }
  static float b(size_t i) { return bench::uniform(2, i) - 0.25f; }
  size_t outputCount() const { return size_t(n) * n; }
  double error(const float* got) const {
    if (expected.empty()) multiply();
    // Sums of n products of at most 0.75, in any order: n/2 half-ulps of the sum's magnitude at worst.
    return bench::largestError(
        got, outputCount(), [&](size_t i) { return expected[i]; }, 0, 0.75 * n * n * 3e-8);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Matmul& p) : a(p.outputCount()), b(p.outputCount()), c(p.outputCount()) {
      a.fill(Matmul::a);
      b.fill(Matmul::b);
    }
    void reset() { c.clear(); }
    void result(float* out) { c.read(out); }
    Memory<float> a, b, c;
  };

  int n;

 private:
  void multiply() const {
    expected.assign(outputCount(), 0);
    std::vector<double> bs(outputCount());
    for (size_t i = 0; i < bs.size(); ++i) bs[i] = b(i);
    for (int row = 0; row < n; ++row) {
      double* out = &expected[size_t(row) * n];
      for (int k = 0; k < n; ++k) {
        const double factor = a(size_t(row) * n + k);
        const double* from = &bs[size_t(k) * n];
        for (int column = 0; column < n; ++column) out[column] += factor * from[column];
      }
    }
  }
  mutable std::vector<double> expected;
};
