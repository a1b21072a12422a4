// A banded matrix, its LU factors and solutions with them.
#pragma once

#include <vector>

#include "libs/musparse/matrix/triangle.h"

namespace musashim::musparse {

template <class V>
class Banded {
 public:
  // So many rows, elements up to `reach` beside the diagonal. Exchanged rows reach further right.
  Banded(int64_t rows, int64_t reach)
      : rows_(rows),
        reach_(reach),
        width_(3 * reach + 1),
        elements_(at(rows * width_)),
        exchanges_(at(rows)) {}

  V& operator()(int64_t row, int64_t column) { return elements_[at(row * width_ + column - row + reach_)]; }

  void factor(bool pivots) {
    for (int64_t step = 0; step < rows_; ++step) {
      const int64_t last = std::min(rows_ - 1, step + reach_), right = std::min(rows_ - 1, step + 2 * reach_);
      int64_t best = step;
      for (int64_t row = step + 1; pivots && row <= last; ++row)
        if (size((*this)(row, step)) > size((*this)(best, step))) best = row;
      exchanges_[at(step)] = best;
      if (best != step)
        for (int64_t column = step; column <= right; ++column)
          std::swap((*this)(best, column), (*this)(step, column));
      for (int64_t row = step + 1; row <= last; ++row) {
        V& factor = (*this)(row, step);
        if (factor == V(0)) continue;
        factor = quotient(factor, (*this)(step, step));
        for (int64_t column = step + 1; column <= right; ++column)
          (*this)(row, column) -= times(factor, (*this)(step, column));
      }
    }
  }

  void solve(V* x) {
    for (int64_t step = 0; step < rows_; ++step) {
      std::swap(x[step], x[exchanges_[at(step)]]);
      for (int64_t row = step + 1; row <= std::min(rows_ - 1, step + reach_); ++row)
        x[row] -= times((*this)(row, step), x[step]);
    }
    for (int64_t row = rows_ - 1; row >= 0; --row) {
      for (int64_t column = row + 1; column <= std::min(rows_ - 1, row + 2 * reach_); ++column)
        x[row] -= times((*this)(row, column), x[column]);
      x[row] = quotient(x[row], (*this)(row, row));
    }
  }

 private:
  static auto size(const V& value) { return std::abs(value); }

  int64_t rows_, reach_, width_;
  std::vector<V> elements_;
  std::vector<int64_t> exchanges_;
};

}  // namespace musashim::musparse
