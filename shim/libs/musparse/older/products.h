// Products of a matrix in CSR or CSC with vectors and dense matrices by columns.
#pragma once

#include "libs/musparse/operations/products.h"
#include "libs/musparse/operations/work.h"

namespace musashim::musparse {

// y = alpha A x + beta y, where one triangle of A stands for both.
template <class T>
musparseStatus_t symmetricCsrmv(Settings& self, const Sparse& matrix, bool conjugates, const T* alpha,
                                const T* x, const T* beta, T* y) {
  using V = ValueOf<T>;
  return enqueue(self, [=, a = matrix, factor = Scalar<V>(self, alpha), old = Scalar<V>(self, beta)] {
    std::vector<V> sums(at(a.rows));
    eachEntry(a, [&](int64_t row, int64_t column, int64_t place) {
      if (a.fill == MUSPARSE_FILL_MODE_LOWER ? column > row : column < row) return;
      const V value = static_cast<const V*>(a.values)[place];
      sums[at(row)] += times(value, asValues(x)[column]);
      if (row != column) sums[at(column)] += times(conjugates ? conjugate(value) : value, asValues(x)[row]);
    });
    for (int64_t row = 0; row < a.rows; ++row) {
      V& to = asValues(y)[row];
      const V product = times(factor.get(), sums[at(row)]);
      to = old.get() == V(0) ? product : product + times(old.get(), to);
    }
  });
}

template <class T>
musparseStatus_t csrmv(Settings& self, Op transA, int m, int n, int nnz, const T* alpha,
                       const musparseMatDescr* descrA, const T* values, const int* offsets,
                       const int* columns, const T* x, const T* beta, T* y) {
  MUSPARSE_REQUIRE(isOperation(transA) && m >= 0 && n >= 0 && nnz >= 0 && alpha && beta && descrA);
  const Sparse a = csrMatrix(m, n, nnz, *descrA, values, offsets, columns);
  if (descrA->type != MUSPARSE_MATRIX_TYPE_GENERAL) {
    if (descrA->type == MUSPARSE_MATRIX_TYPE_TRIANGULAR || isTurned(transA) || m != n)
      return MUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
    return symmetricCsrmv(self, a, descrA->type == MUSPARSE_MATRIX_TYPE_HERMITIAN, alpha, x, beta, y);
  }
  // Only complex numbers have conjugate ones.
  const Op op = isTurned(transA) && !kIsComplex<ValueOf<T>> ? MUSPARSE_OPERATION_TRANSPOSE : transA;
  const DenseVector from{isTurned(op) ? m : n, const_cast<T*>(x), kDataType<T>};
  DenseVector to{isTurned(op) ? n : m, y, kDataType<T>};
  return spmv(self, op, alpha, &a, &from, beta, &to, kDataType<T>, MUSPARSE_SPMV_ALG_DEFAULT, nullptr);
}

// C = alpha op(A) op(B) + beta C, A of m rows and k columns.
template <class T>
musparseStatus_t csrmm2(Settings& self, Op transA, Op transB, int m, int n, int k, int nnz, const T* alpha,
                        const musparseMatDescr* descrA, const T* values, const int* offsets,
                        const int* columns, const T* B, int ldb, const T* beta, T* C, int ldc) {
  MUSPARSE_REQUIRE(isOperation(transA) && isOperation(transB) && m >= 0 && n >= 0 && k >= 0 && nnz >= 0);
  MUSPARSE_REQUIRE(alpha && beta && descrA && transB != MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  if (descrA->type != MUSPARSE_MATRIX_TYPE_GENERAL) return MUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  const Op op = isTurned(transA) && !kIsComplex<ValueOf<T>> ? MUSPARSE_OPERATION_TRANSPOSE : transA;
  const int inner = isTurned(op) ? m : k, rows = isTurned(op) ? k : m;
  MUSPARSE_REQUIRE(ldb >= std::max(1, isTurned(transB) ? n : inner) && ldc >= std::max(1, rows));
  const Sparse a = csrMatrix(m, k, nnz, *descrA, values, offsets, columns);
  const DenseMatrix b{isTurned(transB) ? n : inner,
                      isTurned(transB) ? inner : n,
                      ldb,
                      const_cast<T*>(B),
                      kDataType<T>,
                      MUSPARSE_ORDER_COL};
  DenseMatrix c{rows, n, ldc, C, kDataType<T>, MUSPARSE_ORDER_COL};
  return spmm(self, op, transB, alpha, &a, &b, beta, &c, kDataType<T>, MUSPARSE_SPMM_ALG_DEFAULT, nullptr);
}
template <class T>
musparseStatus_t csrmm(Settings& self, Op transA, int m, int n, int k, int nnz, const T* alpha,
                       const musparseMatDescr* descrA, const T* values, const int* offsets,
                       const int* columns, const T* B, int ldb, const T* beta, T* C, int ldc) {
  return csrmm2(self, transA, MUSPARSE_OPERATION_NON_TRANSPOSE, m, n, k, nnz, alpha, descrA, values, offsets,
                columns, B, ldb, beta, C, ldc);
}

// C = alpha A B + beta C with B in CSC: its columns make those of C.
template <class T>
musparseStatus_t gemmi(Settings& self, int m, int n, int k, int nnz, const T* alpha, const T* A, int lda,
                       const T* values, const int* offsets, const int* rows, const T* beta, T* C, int ldc) {
  using V = ValueOf<T>;
  MUSPARSE_REQUIRE(m >= 0 && n >= 0 && k >= 0 && nnz >= 0 && alpha && beta);
  MUSPARSE_REQUIRE(lda >= std::max(1, m) && ldc >= std::max(1, m));
  return enqueue(self, [=, factor = Scalar<V>(self, alpha), old = Scalar<V>(self, beta)] {
    shareRange(n, int64_t{nnz} * m, [&](int64_t begin, int64_t end) {
      std::vector<V> sums(at(m));
      for (int64_t column = begin; column < end; ++column) {
        std::fill(sums.begin(), sums.end(), V(0));
        for (int64_t j = offsets[column]; j < offsets[column + 1]; ++j)
          for (int64_t row = 0; row < m; ++row)
            sums[at(row)] += times(asValues(A)[int64_t{rows[j]} * lda + row], asValues(values)[j]);
        for (int64_t row = 0; row < m; ++row) {
          V& to = asValues(C)[column * ldc + row];
          const V product = times(factor.get(), sums[at(row)]);
          to = old.get() == V(0) ? product : product + times(old.get(), to);
        }
      }
    });
  });
}

// csrmv of any type, where all are the one that computes.
inline musparseStatus_t checkMvEx(musparseAlgMode_t alg, Op transA, const musparseMatDescr* descrA,
                                  std::initializer_list<musaDataType> types, musaDataType compute) {
  MUSPARSE_REQUIRE(alg == MUSPARSE_ALG_MERGE_PATH && isOperation(transA) && descrA);
  if (descrA->type != MUSPARSE_MATRIX_TYPE_GENERAL) return MUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  for (const musaDataType type : types) MUSPARSE_SUPPORT(type == compute);
  MUSPARSE_SUPPORT(compute == MUSA_R_32F || compute == MUSA_R_64F || compute == MUSA_C_32F ||
                   compute == MUSA_C_64F);
  return MUSPARSE_STATUS_SUCCESS;
}
inline musparseStatus_t csrmvExBufferSize(Settings&, musparseAlgMode_t alg, Op transA, int m, int n, int nnz,
                                          const void* alpha, musaDataType alphaType,
                                          const musparseMatDescr* descrA, const void*, musaDataType valueType,
                                          const int*, const int*, const void*, musaDataType xType,
                                          const void* beta, musaDataType betaType, void*, musaDataType yType,
                                          musaDataType compute, size_t* size) {
  MUSPARSE_TRY(checkMvEx(alg, transA, descrA, {alphaType, valueType, xType, betaType, yType}, compute));
  MUSPARSE_REQUIRE(m >= 0 && n >= 0 && nnz >= 0 && alpha && beta);
  return answerSize(size);
}
inline musparseStatus_t csrmvEx(Settings& self, musparseAlgMode_t alg, Op transA, int m, int n, int nnz,
                                const void* alpha, musaDataType alphaType, const musparseMatDescr* descrA,
                                const void* values, musaDataType valueType, const int* offsets,
                                const int* columns, const void* x, musaDataType xType, const void* beta,
                                musaDataType betaType, void* y, musaDataType yType, musaDataType compute,
                                void*) {
  MUSPARSE_TRY(checkMvEx(alg, transA, descrA, {alphaType, valueType, xType, betaType, yType}, compute));
  const auto run = [&]<class T>(T) {
    return csrmv(self, transA, m, n, nnz, static_cast<const T*>(alpha), descrA, static_cast<const T*>(values),
                 offsets, columns, static_cast<const T*>(x), static_cast<const T*>(beta), static_cast<T*>(y));
  };
  if (compute == MUSA_R_32F) return run(float{});
  if (compute == MUSA_R_64F) return run(double{});
  return compute == MUSA_C_32F ? run(muComplex{}) : run(muDoubleComplex{});
}

}  // namespace musashim::musparse
