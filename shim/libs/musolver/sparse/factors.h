// Factors of sparse matrices and solutions with them: QR by rotations of rows, LU with exchanges of columns,
// Cholesky. factor() returns the first step whose pivot is no larger than `tolerance`, or -1.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <queue>
#include <vector>

#include "libs/musolver/operations/rotations.h"

namespace musashim::musolver {

template <class V>
struct SparseRow {
  std::vector<int> columns;  // in order
  std::vector<V> values;
};
template <class V>
using SparseRows = std::vector<SparseRow<V>>;

template <class V>
SparseRows<V> rowsOf(int rows, const V* values, const int* offsets, const int* columns, int base) {
  SparseRows<V> result(static_cast<size_t>(rows));
  for (int row = 0; row < rows; ++row) {
    std::map<int, V> sorted;
    for (int k = offsets[row] - base; k < offsets[row + 1] - base; ++k)
      sorted[columns[k] - base] += values[k];
    for (const auto& [column, value] : sorted) {
      result[static_cast<size_t>(row)].columns.push_back(column);
      result[static_cast<size_t>(row)].values.push_back(value);
    }
  }
  return result;
}

// Rows and columns in another order; order[i] is the old number of the new i.
template <class V>
SparseRows<V> permuted(const SparseRows<V>& a, const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (size_t i = 0; i < order.size(); ++i) place[static_cast<size_t>(order[i])] = static_cast<int>(i);
  SparseRows<V> result(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    const SparseRow<V>& from = a[static_cast<size_t>(order[i])];
    std::map<int, V> sorted;
    for (size_t k = 0; k < from.columns.size(); ++k)
      sorted[place[static_cast<size_t>(from.columns[k])]] = from.values[k];
    for (const auto& [column, value] : sorted) {
      result[i].columns.push_back(column);
      result[i].values.push_back(value);
    }
  }
  return result;
}

// x and y, merged: left becomes c x + s y, right c y - conj(s) x without its first element.
template <class V, class R>
void rotateRows(SparseRow<V>& left, SparseRow<V>& right, R c, V s) {
  SparseRow<V> x, y;
  size_t i = 0, j = 0;
  while (i < left.columns.size() || j < right.columns.size()) {
    const bool hasLeft =
        i < left.columns.size() && (j == right.columns.size() || left.columns[i] <= right.columns[j]);
    const bool hasRight =
        j < right.columns.size() && (i == left.columns.size() || right.columns[j] <= left.columns[i]);
    const int column = hasLeft ? left.columns[i] : right.columns[j];
    const V a = hasLeft ? left.values[i++] : V(0), b = hasRight ? right.values[j++] : V(0);
    x.columns.push_back(column);
    x.values.push_back(a * c + s * b);
    if (x.columns.size() == 1) continue;  // what the rotation removes
    y.columns.push_back(column);
    y.values.push_back(b * c - conjugateOf(s) * a);
  }
  left = std::move(x);
  right = std::move(y);
}

inline size_t at(int index) { return static_cast<size_t>(index); }

template <class V>
class QrFactors {
 public:
  int factor(SparseRows<V> a, int columns, double tolerance) {
    using R = typename Rotation<V>::R;
    triangle_.assign(at(columns), {});
    turns_.clear();
    for (size_t row = 0; row < a.size(); ++row) {
      SparseRow<V> current = std::move(a[row]);
      while (!current.columns.empty()) {
        const int step = current.columns.front();
        SparseRow<V>& upper = triangle_[at(step)];
        if (upper.columns.empty()) {
          upper = std::move(current);
          turns_.push_back({static_cast<int>(row), step, 0, V(0), true});
          break;
        }
        const V f = upper.values.front(), g = current.values.front();
        const R size = std::hypot(std::abs(f), std::abs(g));
        if (size == R(0)) {  // nothing to remove but a place
          current.columns.erase(current.columns.begin());
          current.values.erase(current.values.begin());
          continue;
        }
        // c f + s g = r with a real c.
        const R c = std::abs(f) / size;
        const V s = (std::abs(f) == R(0) ? V(1) : f / std::abs(f)) * conjugateOf(g) / size;
        rotateRows(upper, current, c, s);
        turns_.push_back({static_cast<int>(row), step, c, s, false});
      }
    }
    return zeroPivot(tolerance);
  }

  int zeroPivot(double tolerance) const {
    for (size_t step = 0; step < triangle_.size(); ++step)
      if (triangle_[step].columns.empty() ||
          !(static_cast<double>(std::abs(triangle_[step].values.front())) > tolerance))
        return static_cast<int>(step);
    return -1;
  }

  // Where no pivot is 0.
  void solve(std::vector<V> b, std::vector<V>& x) const {
    std::vector<V> right(triangle_.size());
    for (const Turn& turn : turns_) {
      V &value = b[at(turn.row)], &upper = right[at(turn.step)];
      const V before = upper;
      if (turn.places) {
        upper = value;
      } else {
        upper = before * turn.c + turn.s * value;
        value = value * turn.c - conjugateOf(turn.s) * before;
      }
    }
    x.assign(triangle_.size(), V(0));
    for (size_t step = triangle_.size(); step-- > 0;) {
      V sum = right[step];
      const auto& row = triangle_[step];
      for (size_t k = 1; k < row.columns.size(); ++k) sum -= row.values[k] * x[at(row.columns[k])];
      x[step] = sum / row.values.front();
    }
  }

 private:
  struct Turn {
    int row, step;
    typename Rotation<V>::R c;
    V s;
    bool places;  // the row becomes the triangle's
  };
  SparseRows<V> triangle_;
  std::vector<Turn> turns_;
};

template <class V>
class LuFactors {
 public:
  int factor(const SparseRows<V>& a, double tolerance) {
    const size_t n = a.size();
    lower_.assign(n, {});
    upper_.assign(n, {});
    pivotColumn_.assign(n, -1);
    stepOf_.assign(n, -1);
    std::vector<V> work(n);
    std::vector<char> used(n, 0);
    for (size_t row = 0; row < n; ++row) {
      std::vector<int> pattern;
      std::priority_queue<int, std::vector<int>, std::greater<>> steps;  // eliminations to come, in order
      const auto touch = [&](int column) {
        if (used[at(column)]) return;
        used[at(column)] = 1;
        pattern.push_back(column);
        if (stepOf_[at(column)] >= 0) steps.push(stepOf_[at(column)]);
      };
      for (size_t k = 0; k < a[row].columns.size(); ++k) {
        touch(a[row].columns[k]);
        work[at(a[row].columns[k])] = a[row].values[k];
      }
      for (; !steps.empty(); steps.pop()) {
        const SparseRow<V>& other = upper_[at(steps.top())];
        V& head = work[at(pivotColumn_[at(steps.top())])];
        const V factor = head / other.values.front();
        head = V(0);
        lower_[row].columns.push_back(steps.top());
        lower_[row].values.push_back(factor);
        for (size_t k = 1; k < other.columns.size(); ++k) {
          touch(other.columns[k]);
          work[at(other.columns[k])] -= factor * other.values[k];
        }
      }
      int best = -1;
      for (const int column : pattern)
        if (stepOf_[at(column)] < 0 && (best < 0 || std::abs(work[at(column)]) > std::abs(work[at(best)])))
          best = column;
      const bool fails = best < 0 || !(static_cast<double>(std::abs(work[at(best)])) > tolerance);
      if (!fails) {
        upper_[row].columns.push_back(best);
        upper_[row].values.push_back(work[at(best)]);
        for (const int column : pattern)
          if (column != best && stepOf_[at(column)] < 0) {
            upper_[row].columns.push_back(column);
            upper_[row].values.push_back(work[at(column)]);
          }
        stepOf_[at(best)] = static_cast<int>(row);
        pivotColumn_[row] = best;
      }
      for (const int column : pattern) {
        used[at(column)] = 0;
        work[at(column)] = V(0);
      }
      if (fails) return static_cast<int>(row);
    }
    return -1;
  }

  void solve(std::vector<V> b, std::vector<V>& x) const {
    for (size_t row = 0; row < b.size(); ++row)
      for (size_t k = 0; k < lower_[row].columns.size(); ++k)
        b[row] -= lower_[row].values[k] * b[at(lower_[row].columns[k])];
    x.assign(b.size(), V(0));
    for (size_t row = b.size(); row-- > 0;) {
      V sum = b[row];
      for (size_t k = 1; k < upper_[row].columns.size(); ++k)
        sum -= upper_[row].values[k] * x[at(upper_[row].columns[k])];
      x[at(upper_[row].columns.front())] = sum / upper_[row].values.front();
    }
  }

  // A Q^T = L U with ones on L's diagonal, which is not among its rows; columns of U by steps.
  const SparseRows<V>& lower() const { return lower_; }
  const SparseRows<V>& upper() const { return upper_; }
  const std::vector<int>& columnOrder() const { return pivotColumn_; }
  int stepOf(int column) const { return stepOf_[at(column)]; }
  int zeroPivot(double tolerance) const {
    for (size_t row = 0; row < upper_.size(); ++row)
      if (upper_[row].values.empty() ||
          !(static_cast<double>(std::abs(upper_[row].values.front())) > tolerance))
        return static_cast<int>(row);
    return -1;
  }

 private:
  SparseRows<V> lower_, upper_;  // the pivot first
  std::vector<int> pivotColumn_, stepOf_;
};

// From the lower triangle. Rows are factored one after the other; row i of L reaches down the tree of
// columns.
template <class V>
class CholeskyFactors {
 public:
  using R = typename Rotation<V>::R;

  int factor(const SparseRows<V>& a, double tolerance) {
    const size_t n = a.size();
    columns_.assign(n, {});
    diagonal_.assign(n, R(0));
    std::vector<int> parent(n, -1), seenFor(n, -1);
    std::vector<V> work(n);
    for (size_t row = 0; row < n; ++row) {
      const int number = static_cast<int>(row);
      std::vector<int> pattern;
      R rest = 0;
      for (size_t k = 0; k < a[row].columns.size(); ++k) {
        const int column = a[row].columns[k];
        if (column == number) rest = std::real(a[row].values[k]);
        if (column >= number) continue;
        work[at(column)] = a[row].values[k];
        for (int node = column; node >= 0 && node < number && seenFor[at(node)] != number;
             node = parent[at(node)]) {
          seenFor[at(node)] = number;
          pattern.push_back(node);
          if (parent[at(node)] < 0) parent[at(node)] = number;
        }
      }
      std::sort(pattern.begin(), pattern.end());
      for (const int column : pattern) {
        SparseRow<V>& below = columns_[at(column)];
        const V value = work[at(column)] / diagonal_[at(column)];
        work[at(column)] = V(0);
        for (size_t k = 0; k < below.columns.size(); ++k)
          work[at(below.columns[k])] -= value * conjugateOf(below.values[k]);
        rest -= std::norm(value);
        below.columns.push_back(number);
        below.values.push_back(value);
      }
      if (!(rest > 0) || !(std::sqrt(static_cast<double>(rest)) > tolerance)) return number;
      diagonal_[row] = std::sqrt(rest);
    }
    return -1;
  }

  void solve(std::vector<V> b, std::vector<V>& x) const {
    x = std::move(b);
    for (size_t step = 0; step < x.size(); ++step) {
      x[step] /= diagonal_[step];
      for (size_t k = 0; k < columns_[step].columns.size(); ++k)
        x[at(columns_[step].columns[k])] -= columns_[step].values[k] * x[step];
    }
    for (size_t step = x.size(); step-- > 0;) {
      for (size_t k = 0; k < columns_[step].columns.size(); ++k)
        x[step] -= conjugateOf(columns_[step].values[k]) * x[at(columns_[step].columns[k])];
      x[step] /= diagonal_[step];
    }
  }

  int zeroPivot(double tolerance) const {
    for (size_t row = 0; row < diagonal_.size(); ++row)
      if (!(static_cast<double>(diagonal_[row]) > tolerance)) return static_cast<int>(row);
    return -1;
  }
  const std::vector<R>& diagonal() const { return diagonal_; }

 private:
  SparseRows<V> columns_;  // of L, below the diagonal
  std::vector<R> diagonal_;
};

}  // namespace musashim::musolver
