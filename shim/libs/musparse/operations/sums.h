// C = alpha A + beta B, all CSR.
#pragma once

#include "libs/musparse/operations/work.h"

namespace musashim::musparse {

// f(row, column, place in A or -1, place in B or -1), by columns in order. Rows of A and B are sorted.
template <class F>
void eachOfSum(const musparseSpMatDescr& a, const musparseSpMatDescr& b, F&& f) {
  const Indices offsetsA(a.offsets, a.offsetType, a.base), offsetsB(b.offsets, b.offsetType, b.base);
  const Indices columnsA(a.indices, a.indexType, a.base), columnsB(b.indices, b.indexType, b.base);
  for (int64_t row = 0; row < a.rows; ++row) {
    int64_t i = offsetsA[row], j = offsetsB[row];
    const int64_t lastA = offsetsA[row + 1], lastB = offsetsB[row + 1];
    while (i < lastA || j < lastB) {
      const int64_t left = i < lastA ? columnsA[i] : a.cols, right = j < lastB ? columnsB[j] : a.cols;
      const int64_t column = std::min(left, right);
      f(row, column, left == column && i < lastA ? i : -1, right == column && j < lastB ? j : -1);
      if (left == column && i < lastA) ++i;
      if (right == column && j < lastB) ++j;
    }
  }
}

inline musparseStatus_t checkSum(int m, int n, const musparseMatDescr* a, int nnzA, const musparseMatDescr* b,
                                 int nnzB, const musparseMatDescr* c) {
  MUSPARSE_REQUIRE(m >= 0 && n >= 0 && nnzA >= 0 && nnzB >= 0 && a && b && c);
  for (const musparseMatDescr* descr : {a, b, c})
    if (descr->type != MUSPARSE_MATRIX_TYPE_GENERAL) return MUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  return MUSPARSE_STATUS_SUCCESS;
}

template <class T>
musparseStatus_t csrgeam2BufferSizeExt(Settings&, int m, int n, const T*, const musparseMatDescr* descrA,
                                       int nnzA, const T*, const int*, const int*, const T*,
                                       const musparseMatDescr* descrB, int nnzB, const T*, const int*,
                                       const int*, const musparseMatDescr* descrC, const T*, const int*,
                                       const int*, size_t* size) {
  MUSPARSE_TRY(checkSum(m, n, descrA, nnzA, descrB, nnzB, descrC));
  return answerSize(size);
}

inline musparseStatus_t csrgeam2Nnz(Settings& self, int m, int n, const musparseMatDescr* descrA, int nnzA,
                                    const int* offsetsA, const int* columnsA, const musparseMatDescr* descrB,
                                    int nnzB, const int* offsetsB, const int* columnsB,
                                    const musparseMatDescr* descrC, int* offsetsC, int* total, void*) {
  MUSPARSE_TRY(checkSum(m, n, descrA, nnzA, descrB, nnzB, descrC));
  MUSPARSE_REQUIRE(total);
  return enqueueResult(self, [=, a = csrMatrix<void>(m, n, nnzA, *descrA, nullptr, offsetsA, columnsA),
                              b = csrMatrix<void>(m, n, nnzB, *descrB, nullptr, offsetsB, columnsB),
                              base = static_cast<int>(descrC->base)] {
    std::vector<int> lengths(at(m));
    eachOfSum(a, b, [&](int64_t row, int64_t, int64_t, int64_t) { ++lengths[at(row)]; });
    int next = base;
    for (int row = 0; row < m; ++row) {
      offsetsC[row] = next;
      next += lengths[at(row)];
    }
    offsetsC[m] = next;
    *total = next - base;
  });
}

template <class T>
musparseStatus_t csrgeam2(Settings& self, int m, int n, const T* alpha, const musparseMatDescr* descrA,
                          int nnzA, const T* valuesA, const int* offsetsA, const int* columnsA, const T* beta,
                          const musparseMatDescr* descrB, int nnzB, const T* valuesB, const int* offsetsB,
                          const int* columnsB, const musparseMatDescr* descrC, T* valuesC, int* offsetsC,
                          int* columnsC, void*) {
  using V = ValueOf<T>;
  MUSPARSE_TRY(checkSum(m, n, descrA, nnzA, descrB, nnzB, descrC));
  MUSPARSE_REQUIRE(alpha && beta);
  return enqueue(self, [=, a = csrMatrix(m, n, nnzA, *descrA, valuesA, offsetsA, columnsA),
                        b = csrMatrix(m, n, nnzB, *descrB, valuesB, offsetsB, columnsB),
                        base = static_cast<int>(descrC->base), factorA = Scalar<V>(self, alpha),
                        factorB = Scalar<V>(self, beta)] {
    int next = 0;
    int64_t open = 0;
    offsetsC[0] = base;
    eachOfSum(a, b, [&](int64_t row, int64_t column, int64_t placeA, int64_t placeB) {
      for (; open < row; ++open) offsetsC[open + 1] = next + base;
      V sum(0);
      if (placeA >= 0) sum += times(factorA.get(), asValues(valuesA)[placeA]);
      if (placeB >= 0) sum += times(factorB.get(), asValues(valuesB)[placeB]);
      columnsC[next] = static_cast<int>(column) + base;
      asValues(valuesC)[next++] = sum;
    });
    for (; open < m; ++open) offsetsC[open + 1] = next + base;
  });
}

}  // namespace musashim::musparse
