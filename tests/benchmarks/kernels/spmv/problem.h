// Sparse matrix times vector, CSR, a thread per row: 2^18 rows of 16 to 48 values near the diagonal.
#pragma once

#include <vector>

#include "harness/serve.h"

struct Spmv {
  using Output = float;
  static constexpr int kThreads = 256, kBand = 8192;

  explicit Spmv(bench::Size size) : rows(bench::pick(size, 1000, 1 << 15, 1 << 18)), starts(rows + 1) {
    for (int row = 0; row < rows; ++row) {
      starts[row + 1] = starts[row] + 16 + static_cast<int>(33 * bench::uniform(1, row));
    }
    columns.resize(starts[rows]);
    for (int row = 0; row < rows; ++row) {
      for (int i = starts[row]; i < starts[row + 1]; ++i) {
        const int column = row + static_cast<int>((bench::uniform(2, i) - 0.5f) * kBand);
        columns[i] = std::clamp(column, 0, rows - 1);
      }
    }
  }

  int blocks() const { return (rows + kThreads - 1) / kThreads; }
  size_t nonZeros() const { return columns.size(); }
  static float value(size_t i) { return bench::uniform(3, i) - 0.25f; }
  static float x(size_t i) { return bench::uniform(4, i); }
  size_t outputCount() const { return rows; }
  double error(const float* got) const {
    auto want = [this](size_t row) {
      double sum = 0;
      for (int i = starts[row]; i < starts[row + 1]; ++i) sum += double{value(i)} * x(columns[i]);
      return sum;
    };
    return bench::largestError(got, rows, want, 0, 48 * 48 * 6e-8);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Spmv& p)
        : starts(p.rows + 1), columns(p.nonZeros()), values(p.nonZeros()), x(p.rows), out(p.rows) {
      starts.fill([&](size_t i) { return p.starts[i]; });
      columns.fill([&](size_t i) { return p.columns[i]; });
      values.fill(Spmv::value);
      x.fill(Spmv::x);
    }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<int> starts, columns;
    Memory<float> values, x, out;
  };

  int rows;
  std::vector<int> starts, columns;
};
