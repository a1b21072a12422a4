// Matrices of any format, as entries or as rows.
//
//   musparseSpMatDescr --eachEntry--> (row, column, place of its value)
//                      --rowsOf-----> Rows<V>: offsets, columns, values, places; transposed as asked
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "libs/musparse/api/objects.h"
#include "libs/musparse/matrix/elements.h"

namespace musashim::musparse {

inline size_t at(int64_t i) { return static_cast<size_t>(i); }

// The matrix of a batch by its number.
inline musparseSpMatDescr matrixOf(const musparseSpMatDescr& batch, int64_t number) {
  musparseSpMatDescr one = batch;
  const auto moved = [number](void* data, int64_t stride, int64_t size) -> void* {
    return data ? static_cast<char*>(data) + number * stride * size : nullptr;
  };
  one.offsets = moved(batch.offsets, batch.offsetsStride, indexSize(batch.offsetType));
  one.indices = moved(batch.indices, batch.indicesStride, indexSize(batch.indexType));
  one.values = moved(batch.values, batch.valuesStride, static_cast<int64_t>(elementSize(batch.valueType)));
  return one;
}
inline musparseDnMatDescr matrixOf(const musparseDnMatDescr& batch, int64_t number) {
  musparseDnMatDescr one = batch;
  one.values = static_cast<char*>(batch.values) +
               number * batch.batchStride * static_cast<int64_t>(elementSize(batch.valueType));
  return one;
}

// How many values are stored.
inline int64_t storedValues(const musparseSpMatDescr& a) {
  switch (a.format) {
    case MUSPARSE_FORMAT_BSR:
      return a.nnz * a.blockRows * a.blockCols;
    case MUSPARSE_FORMAT_BLOCKED_ELL:
      return a.rows * a.ellCols;
    case MUSPARSE_FORMAT_SLICED_ELLPACK:
      return a.valuesSize;
    default:
      return a.nnz;
  }
}

// f(row, column, place) for every stored element.
template <class F>
void eachEntry(const musparseSpMatDescr& a, F&& f) {
  const Indices offsets(a.offsets, a.offsetType, a.base), indices(a.indices, a.indexType, a.base);
  switch (a.format) {
    case MUSPARSE_FORMAT_CSR:
      for (int64_t row = 0; row < a.rows; ++row)
        for (int64_t k = offsets[row]; k < offsets[row + 1]; ++k) f(row, indices[k], k);
      break;
    case MUSPARSE_FORMAT_CSC:
      for (int64_t column = 0; column < a.cols; ++column)
        for (int64_t k = offsets[column]; k < offsets[column + 1]; ++k) f(indices[k], column, k);
      break;
    case MUSPARSE_FORMAT_COO:
      for (int64_t k = 0; k < a.nnz; ++k) f(offsets[k], indices[k], k);
      break;
    case MUSPARSE_FORMAT_BSR:
      for (int64_t row = 0; row < a.rows; ++row) {
        const int64_t block = row / a.blockRows, within = row % a.blockRows;
        for (int64_t k = offsets[block]; k < offsets[block + 1]; ++k)
          for (int64_t column = 0; column < a.blockCols; ++column)
            f(row, indices[k] * a.blockCols + column,
              k * a.blockRows * a.blockCols + (a.order == MUSPARSE_ORDER_ROW
                                                   ? within * a.blockCols + column
                                                   : column * a.blockRows + within));
      }
      break;
    case MUSPARSE_FORMAT_BLOCKED_ELL:
      for (int64_t row = 0; row < a.rows; ++row)
        for (int64_t k = 0; k < a.ellCols; ++k) {
          const int64_t block = indices[(row / a.blockRows) * (a.ellCols / a.blockCols) + k / a.blockCols];
          if (block >= 0) f(row, block * a.blockCols + k % a.blockCols, row * a.ellCols + k);
        }
      break;
    case MUSPARSE_FORMAT_SLICED_ELLPACK:
      for (int64_t row = 0; a.sliceSize > 0 && row < a.rows; ++row) {
        const int64_t slice = row / a.sliceSize;
        for (int64_t k = offsets[slice] + row % a.sliceSize; k < offsets[slice + 1]; k += a.sliceSize)
          if (indices.raw(k) >= 0 && indices[k] >= 0) f(row, indices[k], k);
      }
      break;
  }
}

template <class V>
struct Rows {
  int64_t rows = 0, cols = 0;
  std::vector<int64_t> offsets, columns;
  std::vector<V> values;
  std::vector<int64_t> places;  // of the values in the matrix that they came from
};

// `values`: those of the matrix, where they are kept elsewhere.
template <class V>
Rows<V> rowsOf(const musparseSpMatDescr& a, musparseOperation_t op = MUSPARSE_OPERATION_NON_TRANSPOSE,
               const void* values = nullptr) {
  const bool turned = op != MUSPARSE_OPERATION_NON_TRANSPOSE;
  const void* const from = values ? values : a.values;
  Rows<V> result;
  result.rows = turned ? a.cols : a.rows;
  result.cols = turned ? a.rows : a.cols;
  result.offsets.assign(at(result.rows + 1), 0);
  eachEntry(a,
            [&](int64_t row, int64_t column, int64_t) { ++result.offsets[at((turned ? column : row) + 1)]; });
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  const size_t count = at(result.offsets.back());
  result.columns.resize(count);
  result.values.resize(count);
  result.places.resize(count);
  std::vector<int64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  eachEntry(a, [&](int64_t row, int64_t column, int64_t place) {
    const size_t to = at(next[at(turned ? column : row)]++);
    result.columns[to] = turned ? row : column;
    result.places[to] = place;
    if (!from) return;
    const V value = load<V>(from, a.valueType, place);
    result.values[to] = op == MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(value) : value;
  });
  return result;
}

// A dense matrix with an operation, as rows without gaps.
template <class V>
std::vector<V> denseRows(const musparseDnMatDescr& b, musparseOperation_t op) {
  const bool turned = op != MUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t rows = turned ? b.cols : b.rows, cols = turned ? b.rows : b.cols;
  // Going down a column of the matrix as it is stored, or along a row.
  const int64_t down = (b.order == MUSPARSE_ORDER_COL) != turned ? 1 : b.ld;
  const int64_t along = (b.order == MUSPARSE_ORDER_COL) != turned ? b.ld : 1;
  std::vector<V> result(at(rows * cols));
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < cols; ++column) {
      const V value = load<V>(b.values, b.valueType, row * down + column * along);
      result[at(row * cols + column)] =
          op == MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(value) : value;
    }
  return result;
}
inline int64_t placeIn(const musparseDnMatDescr& b, int64_t row, int64_t column) {
  return b.order == MUSPARSE_ORDER_COL ? column * b.ld + row : row * b.ld + column;
}

}  // namespace musashim::musparse
