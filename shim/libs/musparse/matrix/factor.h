// Incomplete factors of a matrix, in place: no elements are added.
#pragma once

#include <cmath>

#include "libs/musparse/matrix/triangle.h"

namespace musashim::musparse {

// What takes the place of pivots that are too small.
template <class V>
struct Boost {
  bool on = false, onDevice = false;
  const double* tolerancePlace = nullptr;
  const V* valuePlace = nullptr;
  double tolerance = 0;
  V value{};

  void read() {
    tolerance = *tolerancePlace;
    value = *valuePlace;
  }
};

// Rows in order of columns, where an element of a row is looked up by its column.
template <class V>
class Factors {
 public:
  explicit Factors(const musparseSpMatDescr& a) : rows_(rowsOf<V>(a)), place_(at(a.rows), -1) {
    for (int64_t row = 0; row < a.rows; ++row) sortRow(row);
  }

  Rows<V>& rows() { return rows_; }
  // find() then speaks of this row.
  void open(int64_t row) {
    for (int64_t k = begin(row); k < end(row); ++k) place_[at(rows_.columns[at(k)])] = k;
  }
  void close(int64_t row) {
    for (int64_t k = begin(row); k < end(row); ++k) place_[at(rows_.columns[at(k)])] = -1;
  }
  int64_t find(int64_t column) const { return place_[at(column)]; }
  int64_t begin(int64_t row) const { return rows_.offsets[at(row)]; }
  int64_t end(int64_t row) const { return rows_.offsets[at(row + 1)]; }
  int64_t column(int64_t k) const { return rows_.columns[at(k)]; }
  V& value(int64_t k) { return rows_.values[at(k)]; }

  void write(const musparseSpMatDescr& a) const {
    for (size_t k = 0; k < rows_.values.size(); ++k)
      store(a.values, a.valueType, rows_.places[k], rows_.values[k]);
  }

 private:
  void sortRow(int64_t row) {
    const size_t first = at(begin(row)), count = at(end(row)) - first;
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), first);
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return rows_.columns[a] != rows_.columns[b] ? rows_.columns[a] < rows_.columns[b] : a < b;
    });
    const Rows<V> old{0,
                      0,
                      {},
                      {rows_.columns.begin() + static_cast<ptrdiff_t>(first),
                       rows_.columns.begin() + static_cast<ptrdiff_t>(first + count)},
                      {rows_.values.begin() + static_cast<ptrdiff_t>(first),
                       rows_.values.begin() + static_cast<ptrdiff_t>(first + count)},
                      {rows_.places.begin() + static_cast<ptrdiff_t>(first),
                       rows_.places.begin() + static_cast<ptrdiff_t>(first + count)}};
    for (size_t i = 0; i < count; ++i) {
      rows_.columns[first + i] = old.columns[order[i] - first];
      rows_.values[first + i] = old.values[order[i] - first];
      rows_.places[first + i] = old.places[order[i] - first];
    }
  }

  Rows<V> rows_;
  std::vector<int64_t> place_;
};

// A = L U, L with ones on its diagonal. Returns the first block row whose pivot is 0, or -1.
template <class V>
int64_t incompleteLu(const musparseSpMatDescr& a, const Boost<V>& boost) {
  Factors<V> factors(a);
  std::vector<V> pivots(at(a.rows), V(0));
  int64_t zero = -1;
  for (int64_t row = 0; row < a.rows; ++row) {
    factors.open(row);
    for (int64_t k = factors.begin(row); k < factors.end(row) && factors.column(k) < row; ++k) {
      const int64_t step = factors.column(k);
      const V factor = factors.value(k) = quotient(factors.value(k), pivots[at(step)]);
      for (int64_t j = factors.begin(step); j < factors.end(step); ++j) {
        if (factors.column(j) <= step) continue;
        const int64_t to = factors.find(factors.column(j));
        if (to >= 0) factors.value(to) -= times(factor, factors.value(j));
      }
    }
    const int64_t diagonal = factors.find(row);
    if (diagonal >= 0 && boost.on && std::abs(factors.value(diagonal)) <= boost.tolerance)
      factors.value(diagonal) = boost.value;
    if (diagonal >= 0) pivots[at(row)] = factors.value(diagonal);
    if (zero < 0 && pivots[at(row)] == V(0)) zero = row / a.blockRows;
    factors.close(row);
  }
  factors.write(a);
  return zero;
}

// A = L L^H in the lower triangle; the upper one is neither read nor written. Returns the first block row
// whose pivot is not positive, or -1.
template <class V>
int64_t incompleteCholesky(const musparseSpMatDescr& a) {
  Factors<V> factors(a);
  std::vector<V> pivots(at(a.rows), V(0));
  int64_t bad = -1;
  for (int64_t row = 0; row < a.rows; ++row) {
    factors.open(row);
    V diagonalSum(0);
    for (int64_t k = factors.begin(row); k < factors.end(row) && factors.column(k) < row; ++k) {
      const int64_t step = factors.column(k);
      V sum = factors.value(k);
      for (int64_t j = factors.begin(step); j < factors.end(step) && factors.column(j) < step; ++j) {
        const int64_t other = factors.find(factors.column(j));
        if (other >= 0) sum -= times(factors.value(other), conjugate(factors.value(j)));
      }
      factors.value(k) = quotient(sum, pivots[at(step)]);
      diagonalSum += times(factors.value(k), conjugate(factors.value(k)));
    }
    const int64_t diagonal = factors.find(row);
    if (diagonal >= 0) {
      const auto pivot = std::real(factors.value(diagonal) - diagonalSum);
      if (bad < 0 && !(pivot > 0)) bad = row / a.blockRows;
      factors.value(diagonal) = pivots[at(row)] = V(std::sqrt(pivot));
    } else if (bad < 0) {
      bad = row / a.blockRows;
    }
    factors.close(row);
  }
  factors.write(a);
  return bad;
}

}  // namespace musashim::musparse
