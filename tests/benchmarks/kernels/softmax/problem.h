// Softmax of 8192 rows of 1024 floats; a block of 256 threads per row, reductions in shared memory.
#pragma once

#include "harness/serve.h"

struct Softmax {
  using Output = float;
  static constexpr int kThreads = 256, kColumns = 1024;

  explicit Softmax(bench::Size size) : rows(bench::pick(size, 5, 256, 8192)) {}

  static float in(size_t i) { return 16 * bench::uniform(1, i) - 8; }
  size_t outputCount() const { return size_t(rows) * kColumns; }
  double error(const float* got) const {
    double worst = 0;
    for (int row = 0; row < rows; ++row) {
      const size_t first = size_t(row) * kColumns;
      double sum = 0;
      for (int i = 0; i < kColumns; ++i) sum += std::exp(double{in(first + i)});
      auto want = [&](size_t i) { return std::exp(double{in(first + i)}) / sum; };
      worst = std::max(worst, bench::largestError(got + first, kColumns, want, 5e-6, 1e-30));
    }
    return worst;
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Softmax& p) : in(p.outputCount()), out(p.outputCount()) { in.fill(Softmax::in); }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> in, out;
  };

  int rows;
};
