// The product of two sparse matrices as rows: Gustavson's method, a row of the result at a time.
#pragma once

#include "libs/musparse/matrix/matrix.h"

namespace musashim::musparse {

// Columns of the result in order; `also`, of the same size, is added.
template <class V>
Rows<V> productOf(const Rows<V>& a, const Rows<V>& b, V alpha = V(1), const Rows<V>* also = nullptr,
                  V beta = V(1)) {
  Rows<V> c;
  c.rows = a.rows;
  c.cols = b.cols;
  c.offsets.push_back(0);
  std::vector<V> sums(at(b.cols));
  std::vector<int64_t> seenIn(at(b.cols), -1), columns;
  const auto sumAt = [&](int64_t row, int64_t column) -> V& {
    if (seenIn[at(column)] != row) {
      seenIn[at(column)] = row;
      sums[at(column)] = V(0);
      columns.push_back(column);
    }
    return sums[at(column)];
  };
  for (int64_t row = 0; row < a.rows; ++row) {
    columns.clear();
    for (int64_t k = a.offsets[at(row)]; k < a.offsets[at(row + 1)]; ++k) {
      const int64_t inner = a.columns[at(k)];
      for (int64_t j = b.offsets[at(inner)]; j < b.offsets[at(inner + 1)]; ++j)
        sumAt(row, b.columns[at(j)]) += times(a.values[at(k)], b.values[at(j)]);
    }
    if (alpha != V(1))
      for (const int64_t column : columns) sums[at(column)] = times(alpha, sums[at(column)]);
    for (int64_t k = also ? also->offsets[at(row)] : 0; also && k < also->offsets[at(row + 1)]; ++k)
      sumAt(row, also->columns[at(k)]) += times(beta, also->values[at(k)]);
    std::sort(columns.begin(), columns.end());
    for (const int64_t column : columns) {
      c.columns.push_back(column);
      c.values.push_back(sums[at(column)]);
    }
    c.offsets.push_back(static_cast<int64_t>(c.columns.size()));
  }
  return c;
}

}  // namespace musashim::musparse
