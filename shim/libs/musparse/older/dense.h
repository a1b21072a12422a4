// Between CSR or CSC and dense matrices by columns, and from CSR to CSC.
#pragma once

#include "libs/musparse/operations/conversion.h"
#include "libs/musparse/operations/work.h"

namespace musashim::musparse {

inline musparseStatus_t checkDense(int m, int n, int lda, const musparseMatDescr* descr, const void* a) {
  MUSPARSE_REQUIRE(m >= 0 && n >= 0 && lda >= std::max(1, m) && descr && (m == 0 || n == 0 || a));
  return descr->type == MUSPARSE_MATRIX_TYPE_GENERAL ? MUSPARSE_STATUS_SUCCESS
                                                     : MUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

// Lines are rows or columns, `along` steps from an element of a line to its next.
struct DenseLines {
  int lines, length;
  int64_t next, along;
};

template <class T>
musparseStatus_t denseToLines(Settings& self, DenseLines shape, int base, const T* a, const int* lengths,
                              T* values, int* offsets, int* indices) {
  MUSPARSE_REQUIRE(lengths && offsets);
  return enqueue(self, [=] {
    offsets[0] = base;
    for (int line = 0; line < shape.lines; ++line) offsets[line + 1] = offsets[line] + lengths[line];
    for (int line = 0; line < shape.lines; ++line) {
      int to = offsets[line] - base;
      for (int i = 0; i < shape.length && to < offsets[line + 1] - base; ++i) {
        const T& element = a[line * shape.next + i * shape.along];
        if (*asValues(&element) == ValueOf<T>(0)) continue;
        values[to] = element;
        indices[to++] = i + base;
      }
    }
  });
}

template <class T>
musparseStatus_t linesToDense(Settings& self, DenseLines shape, int base, const T* values, const int* offsets,
                              const int* indices, T* a) {
  MUSPARSE_REQUIRE(offsets);
  return enqueue(self, [=] {
    for (int line = 0; line < shape.lines; ++line) {
      for (int i = 0; i < shape.length; ++i) a[line * shape.next + i * shape.along] = T{};
      for (int k = offsets[line] - base; k < offsets[line + 1] - base; ++k)
        a[line * shape.next + (indices[k] - base) * shape.along] = values[k];
    }
  });
}

template <class T>
musparseStatus_t dense2csr(Settings& self, int m, int n, const musparseMatDescr* descrA, const T* A, int lda,
                           const int* lengths, T* values, int* offsets, int* columns) {
  MUSPARSE_TRY(checkDense(m, n, lda, descrA, A));
  return denseToLines(self, {m, n, 1, lda}, descrA->base, A, lengths, values, offsets, columns);
}
template <class T>
musparseStatus_t dense2csc(Settings& self, int m, int n, const musparseMatDescr* descrA, const T* A, int lda,
                           const int* lengths, T* values, int* rows, int* offsets) {
  MUSPARSE_TRY(checkDense(m, n, lda, descrA, A));
  return denseToLines(self, {n, m, lda, 1}, descrA->base, A, lengths, values, offsets, rows);
}
template <class T>
musparseStatus_t csr2dense(Settings& self, int m, int n, const musparseMatDescr* descrA, const T* values,
                           const int* offsets, const int* columns, T* A, int lda) {
  MUSPARSE_TRY(checkDense(m, n, lda, descrA, A));
  return linesToDense(self, {m, n, 1, lda}, descrA->base, values, offsets, columns, A);
}
template <class T>
musparseStatus_t csc2dense(Settings& self, int m, int n, const musparseMatDescr* descrA, const T* values,
                           const int* rows, const int* offsets, T* A, int lda) {
  MUSPARSE_TRY(checkDense(m, n, lda, descrA, A));
  return linesToDense(self, {n, m, lda, 1}, descrA->base, values, offsets, rows, A);
}

template <class T>
musparseStatus_t csr2csc(Settings& self, int m, int n, int nnz, const T* values, const int* offsets,
                         const int* columns, T* valuesC, int* rows, int* offsetsC, musparseAction_t action,
                         musparseIndexBase_t base) {
  return csr2cscEx2(self, m, n, nnz, values, offsets, columns, valuesC, offsetsC, rows, kDataType<T>, action,
                    base, MUSPARSE_CSR2CSC_ALG1, nullptr);
}

}  // namespace musashim::musparse
