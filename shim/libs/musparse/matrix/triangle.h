// Solutions with triangular matrices. Elements on the other side of the diagonal do not count.
#pragma once

#include "libs/musparse/matrix/matrix.h"

namespace musashim::musparse {

template <class V>
V quotient(V a, V b) {
  if constexpr (kIsComplex<V>) {
    // Scaled, so that large and small numbers do not overflow on the way.
    const auto scale = std::max(std::abs(b.real()), std::abs(b.imag()));
    if (scale == 0 || !(scale == scale)) return V(a.real() / scale, a.imag() / scale);
    const V small(b.real() / scale, b.imag() / scale);
    const V product = times(a, std::conj(small));
    const auto size = (small.real() * small.real() + small.imag() * small.imag()) * scale;
    return V(product.real() / size, product.imag() / size);
  } else {
    return a / b;
  }
}

template <class V>
struct Triangle {
  Rows<V> rows;
  bool lower, unit;
  std::vector<V> diagonal;  // 1 where there is none

  // The first row without a diagonal element other than 0, or -1; `numerical`: its value counts.
  int64_t firstZero(bool numerical) const {
    if (unit) return -1;
    for (int64_t row = 0; row < rows.rows; ++row) {
      bool found = false;
      for (int64_t k = rows.offsets[at(row)]; k < rows.offsets[at(row + 1)]; ++k)
        found |= rows.columns[at(k)] == row && (!numerical || rows.values[at(k)] != V(0));
      if (!found) return row;
    }
    return -1;
  }

  // Solves for `columns` right-hand sides at once; x[row * columns + column].
  void solve(V* x, int64_t columns) const {
    for (int64_t step = 0; step < rows.rows; ++step) {
      const int64_t row = lower ? step : rows.rows - 1 - step;
      V* const to = x + row * columns;
      for (int64_t k = rows.offsets[at(row)]; k < rows.offsets[at(row + 1)]; ++k) {
        const int64_t column = rows.columns[at(k)];
        if (lower ? column >= row : column <= row) continue;
        const V* const from = x + column * columns;
        const V value = rows.values[at(k)];
        for (int64_t i = 0; i < columns; ++i) to[i] -= times(value, from[i]);
      }
      if (!unit)
        for (int64_t i = 0; i < columns; ++i) to[i] = quotient(to[i], diagonal[at(row)]);
    }
  }
};

template <class V>
Triangle<V> triangleOf(const musparseSpMatDescr& a, musparseOperation_t op, const void* values = nullptr) {
  const bool turned = op != MUSPARSE_OPERATION_NON_TRANSPOSE;
  Triangle<V> result{rowsOf<V>(a, op, values),
                     (a.fill == MUSPARSE_FILL_MODE_LOWER) != turned,
                     a.diagonal == MUSPARSE_DIAG_TYPE_UNIT,
                     {}};
  result.diagonal.assign(at(a.rows), V(1));
  for (int64_t row = 0; row < a.rows; ++row)
    for (int64_t k = result.rows.offsets[at(row)]; k < result.rows.offsets[at(row + 1)]; ++k)
      if (result.rows.columns[at(k)] == row) result.diagonal[at(row)] = result.rows.values[at(k)];
  return result;
}

}  // namespace musashim::musparse
