// Counting elements, and leaving out small ones.
#pragma once

#include "libs/musparse/operations/work.h"

namespace musashim::musparse {

// Counts what is not 0 in each row or column of a dense matrix.
template <class T>
musparseStatus_t nnz(Settings& self, musparseDirection_t dirA, int m, int n, const musparseMatDescr* descrA,
                     const T* A, int lda, int* perLine, int* total) {
  MUSPARSE_REQUIRE(isDirection(dirA) && m >= 0 && n >= 0 && lda >= std::max(1, m) && descrA && total);
  if (descrA->type != MUSPARSE_MATRIX_TYPE_GENERAL) return MUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  MUSPARSE_REQUIRE(m == 0 || n == 0 || (A && perLine));
  return enqueueResult(self, [=] {
    const bool byRow = dirA == MUSPARSE_DIRECTION_ROW;
    std::fill_n(perLine, byRow ? m : n, 0);
    *total = 0;
    for (int64_t column = 0; column < n; ++column)
      for (int64_t row = 0; row < m; ++row)
        if (asValues(A)[column * lda + row] != ValueOf<T>(0)) {
          ++perLine[byRow ? row : column];
          ++*total;
        }
  });
}

// Whether an element is larger than a bound; of complex numbers the real part of `bound` counts.
template <class V>
bool exceeds(V value, V bound) {
  return std::abs(value) > std::real(bound);
}

template <class T>
musparseStatus_t nnzCompress(Settings& self, int m, const musparseMatDescr* descr, const T* values,
                             const int* offsets, int* perRow, int* total, T tol) {
  const auto bound = *asValues(&tol);
  MUSPARSE_REQUIRE(m >= 0 && descr && offsets && perRow && total && !(std::real(bound) < 0));
  return enqueueResult(self, [=, base = static_cast<int>(descr->base)] {
    *total = 0;
    for (int row = 0; row < m; ++row) {
      perRow[row] = 0;
      for (int k = offsets[row] - base; k < offsets[row + 1] - base; ++k)
        perRow[row] += exceeds(asValues(values)[k], bound);
      *total += perRow[row];
    }
  });
}

// -- Matrices without their small elements: f(row, column, value) of what is kept, by rows --

template <class T, class F>
void eachLarge(const musparseSpMatDescr& a, ValueOf<T> bound, F&& f) {
  eachEntry(a, [&](int64_t row, int64_t column, int64_t place) {
    const auto value = static_cast<const ValueOf<T>*>(a.values)[place];
    if (exceeds(value, bound)) f(row, column, value);
  });
}
// A dense matrix, by the same words.
template <class T>
struct DenseSource {
  const T* values;
  int64_t rows, cols, ld;
};
template <class T, class F>
void eachLarge(const DenseSource<T>& a, ValueOf<T> bound, F&& f) {
  for (int64_t row = 0; row < a.rows; ++row)
    for (int64_t column = 0; column < a.cols; ++column) {
      const auto value = asValues(a.values)[column * a.ld + row];
      if (exceeds(value, bound)) f(row, column, value);
    }
}

template <class T, class Source>
void countLarge(const Source& a, ValueOf<T> bound, int64_t rows, int base, int* offsets, int* total) {
  std::vector<int> lengths(at(rows));
  eachLarge<T>(a, bound, [&](int64_t row, int64_t, ValueOf<T>) { ++lengths[at(row)]; });
  int next = base;
  for (int64_t row = 0; row < rows; ++row) {
    offsets[row] = next;
    next += lengths[at(row)];
  }
  offsets[rows] = next;
  *total = next - base;
}
template <class T, class Source>
void copyLarge(const Source& a, ValueOf<T> bound, int base, T* values, int* columns) {
  int64_t next = 0;
  eachLarge<T>(a, bound, [&](int64_t, int64_t column, ValueOf<T> value) {
    columns[next] = static_cast<int>(column) + base;
    asValues(values)[next++] = value;
  });
}

template <class T>
musparseStatus_t csr2csrCompress(Settings& self, int m, int n, const musparseMatDescr* descrA,
                                 const T* valuesA, const int* columnsA, const int* offsetsA, int nnzA,
                                 const int* perRow, T* valuesC, int* columnsC, int* offsetsC, T tol) {
  const auto bound = *asValues(&tol);
  MUSPARSE_REQUIRE(m >= 0 && n >= 0 && nnzA >= 0 && descrA && perRow && !(std::real(bound) < 0));
  return enqueue(self, [=, a = csrMatrix(m, n, nnzA, *descrA, valuesA, offsetsA, columnsA)] {
    int total = 0;
    countLarge<T>(a, bound, m, static_cast<int>(a.base), offsetsC, &total);
    copyLarge<T>(a, bound, static_cast<int>(a.base), valuesC, columnsC);
  });
}

// The bound below or at which so many per cent of the elements lie.
template <class T, class Source>
T boundOf(const Source& a, int64_t count, float percentage) {
  std::vector<T> sizes;
  eachLarge<T>(a, T(-1), [&](int64_t, int64_t, T value) { sizes.push_back(std::abs(value)); });
  std::sort(sizes.begin(), sizes.end());
  const auto place =
      static_cast<int64_t>(std::ceil(static_cast<double>(percentage) / 100 * static_cast<double>(count))) - 1;
  return sizes.empty() ? T(0)
                       : sizes[at(std::clamp<int64_t>(place, 0, static_cast<int64_t>(sizes.size()) - 1))];
}

inline musparseStatus_t checkDense(int m, int n, int lda, const musparseMatDescr* descr) {
  MUSPARSE_REQUIRE(m >= 0 && n >= 0 && lda >= std::max(1, m) && descr);
  return MUSPARSE_STATUS_SUCCESS;
}
inline musparseStatus_t checkSparse(int m, int n, int nnzA, const musparseMatDescr* a,
                                    const musparseMatDescr* c) {
  MUSPARSE_REQUIRE(m >= 0 && n >= 0 && nnzA >= 0 && a && c);
  return MUSPARSE_STATUS_SUCCESS;
}
inline bool isPercentage(float value) { return value >= 0 && value <= 100; }

template <class T>
musparseStatus_t pruneDense2csrBufferSizeExt(Settings&, int m, int n, const T*, int lda, const T*,
                                             const musparseMatDescr* descrC, const T*, const int*, const int*,
                                             size_t* size) {
  MUSPARSE_TRY(checkDense(m, n, lda, descrC));
  return answerSize(size);
}
template <class T>
musparseStatus_t pruneDense2csrNnz(Settings& self, int m, int n, const T* A, int lda, const T* threshold,
                                   const musparseMatDescr* descrC, int* offsetsC, int* total, void*) {
  MUSPARSE_TRY(checkDense(m, n, lda, descrC));
  MUSPARSE_REQUIRE(threshold && total);
  return enqueueResult(self, [=, base = static_cast<int>(descrC->base), bound = Scalar<T>(self, threshold)] {
    countLarge<T>(DenseSource<T>{A, m, n, lda}, bound.get(), m, base, offsetsC, total);
  });
}
template <class T>
musparseStatus_t pruneDense2csr(Settings& self, int m, int n, const T* A, int lda, const T* threshold,
                                const musparseMatDescr* descrC, T* valuesC, const int*, int* columnsC,
                                void*) {
  MUSPARSE_TRY(checkDense(m, n, lda, descrC));
  MUSPARSE_REQUIRE(threshold);
  return enqueue(self, [=, base = static_cast<int>(descrC->base), bound = Scalar<T>(self, threshold)] {
    copyLarge<T>(DenseSource<T>{A, m, n, lda}, bound.get(), base, valuesC, columnsC);
  });
}

template <class T>
musparseStatus_t pruneCsr2csrBufferSizeExt(Settings&, int m, int n, int nnzA, const musparseMatDescr* descrA,
                                           const T*, const int*, const int*, const T*,
                                           const musparseMatDescr* descrC, const T*, const int*, const int*,
                                           size_t* size) {
  MUSPARSE_TRY(checkSparse(m, n, nnzA, descrA, descrC));
  return answerSize(size);
}
template <class T>
musparseStatus_t pruneCsr2csrNnz(Settings& self, int m, int n, int nnzA, const musparseMatDescr* descrA,
                                 const T* valuesA, const int* offsetsA, const int* columnsA,
                                 const T* threshold, const musparseMatDescr* descrC, int* offsetsC,
                                 int* total, void*) {
  MUSPARSE_TRY(checkSparse(m, n, nnzA, descrA, descrC));
  MUSPARSE_REQUIRE(threshold && total);
  return enqueueResult(self, [=, a = csrMatrix(m, n, nnzA, *descrA, valuesA, offsetsA, columnsA),
                              base = static_cast<int>(descrC->base), bound = Scalar<T>(self, threshold)] {
    countLarge<T>(a, bound.get(), m, base, offsetsC, total);
  });
}
template <class T>
musparseStatus_t pruneCsr2csr(Settings& self, int m, int n, int nnzA, const musparseMatDescr* descrA,
                              const T* valuesA, const int* offsetsA, const int* columnsA, const T* threshold,
                              const musparseMatDescr* descrC, T* valuesC, const int*, int* columnsC, void*) {
  MUSPARSE_TRY(checkSparse(m, n, nnzA, descrA, descrC));
  MUSPARSE_REQUIRE(threshold);
  return enqueue(self, [=, a = csrMatrix(m, n, nnzA, *descrA, valuesA, offsetsA, columnsA),
                        base = static_cast<int>(descrC->base), bound = Scalar<T>(self, threshold)] {
    copyLarge<T>(a, bound.get(), base, valuesC, columnsC);
  });
}

// -- By a share of the elements instead of a bound --

template <class T>
musparseStatus_t pruneDense2csrByPercentageBufferSizeExt(Settings&, int m, int n, const T*, int lda,
                                                         float percentage, const musparseMatDescr* descrC,
                                                         const T*, const int*, const int*, pruneInfo* info,
                                                         size_t* size) {
  MUSPARSE_TRY(checkDense(m, n, lda, descrC));
  MUSPARSE_REQUIRE(info && isPercentage(percentage));
  return answerSize(size);
}
template <class T>
musparseStatus_t pruneDense2csrNnzByPercentage(Settings& self, int m, int n, const T* A, int lda,
                                               float percentage, const musparseMatDescr* descrC,
                                               int* offsetsC, int* total, pruneInfo* info, void*) {
  MUSPARSE_TRY(checkDense(m, n, lda, descrC));
  MUSPARSE_REQUIRE(info && isPercentage(percentage) && total);
  return enqueueResult(self, [=, base = static_cast<int>(descrC->base)] {
    const DenseSource<T> a{A, m, n, lda};
    countLarge<T>(a, boundOf<T>(a, int64_t{m} * n, percentage), m, base, offsetsC, total);
  });
}
template <class T>
musparseStatus_t pruneDense2csrByPercentage(Settings& self, int m, int n, const T* A, int lda,
                                            float percentage, const musparseMatDescr* descrC, T* valuesC,
                                            const int*, int* columnsC, pruneInfo* info, void*) {
  MUSPARSE_TRY(checkDense(m, n, lda, descrC));
  MUSPARSE_REQUIRE(info && isPercentage(percentage));
  return enqueue(self, [=, base = static_cast<int>(descrC->base)] {
    const DenseSource<T> a{A, m, n, lda};
    copyLarge<T>(a, boundOf<T>(a, int64_t{m} * n, percentage), base, valuesC, columnsC);
  });
}
template <class T>
musparseStatus_t pruneCsr2csrByPercentageBufferSizeExt(Settings&, int m, int n, int nnzA,
                                                       const musparseMatDescr* descrA, const T*, const int*,
                                                       const int*, float percentage,
                                                       const musparseMatDescr* descrC, const T*, const int*,
                                                       const int*, pruneInfo* info, size_t* size) {
  MUSPARSE_TRY(checkSparse(m, n, nnzA, descrA, descrC));
  MUSPARSE_REQUIRE(info && isPercentage(percentage));
  return answerSize(size);
}
template <class T>
musparseStatus_t pruneCsr2csrNnzByPercentage(Settings& self, int m, int n, int nnzA,
                                             const musparseMatDescr* descrA, const T* valuesA,
                                             const int* offsetsA, const int* columnsA, float percentage,
                                             const musparseMatDescr* descrC, int* offsetsC, int* total,
                                             pruneInfo* info, void*) {
  MUSPARSE_TRY(checkSparse(m, n, nnzA, descrA, descrC));
  MUSPARSE_REQUIRE(info && isPercentage(percentage) && total);
  return enqueueResult(self, [=, a = csrMatrix(m, n, nnzA, *descrA, valuesA, offsetsA, columnsA),
                              base = static_cast<int>(descrC->base)] {
    countLarge<T>(a, boundOf<T>(a, nnzA, percentage), m, base, offsetsC, total);
  });
}
template <class T>
musparseStatus_t pruneCsr2csrByPercentage(Settings& self, int m, int n, int nnzA,
                                          const musparseMatDescr* descrA, const T* valuesA,
                                          const int* offsetsA, const int* columnsA, float percentage,
                                          const musparseMatDescr* descrC, T* valuesC, const int*,
                                          int* columnsC, pruneInfo* info, void*) {
  MUSPARSE_TRY(checkSparse(m, n, nnzA, descrA, descrC));
  MUSPARSE_REQUIRE(info && isPercentage(percentage));
  return enqueue(self, [=, a = csrMatrix(m, n, nnzA, *descrA, valuesA, offsetsA, columnsA),
                        base = static_cast<int>(descrC->base)] {
    copyLarge<T>(a, boundOf<T>(a, nnzA, percentage), base, valuesC, columnsC);
  });
}

}  // namespace musashim::musparse
