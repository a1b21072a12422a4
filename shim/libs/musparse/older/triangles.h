// Solutions with triangular matrices in CSR, of one and of many right-hand sides.
#pragma once

#include "libs/musparse/operations/blocks.h"

namespace musashim::musparse {

inline musparseStatus_t checkTriangle(musparseOperation_t op, int m, int nnz, const musparseMatDescr* descr,
                                      const void* info) {
  MUSPARSE_REQUIRE(isOperation(op) && isSystem(m, nnz, info) && descr);
  return descr->type == MUSPARSE_MATRIX_TYPE_GENERAL || descr->type == MUSPARSE_MATRIX_TYPE_TRIANGULAR
             ? MUSPARSE_STATUS_SUCCESS
             : MUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

inline musparseStatus_t csrsv2ZeroPivot(Settings& self, csrsv2Info* info, int* position) {
  return answerPivot(self, info, position);
}
template <class T, class Size>
musparseStatus_t csrsv2Size(Settings&, musparseOperation_t transA, int m, int nnz,
                            const musparseMatDescr* descrA, T*, const int*, const int*, csrsv2Info* info,
                            Size* size) {
  MUSPARSE_TRY(checkTriangle(transA, m, nnz, descrA, info));
  return answerSize(size);
}
template <class T>
musparseStatus_t csrsv2Analysis(Settings& self, musparseOperation_t transA, int m, int nnz,
                                const musparseMatDescr* descrA, const T* values, const int* offsets,
                                const int* columns, csrsv2Info* info, musparseSolvePolicy_t, void*) {
  MUSPARSE_TRY(checkTriangle(transA, m, nnz, descrA, info));
  if (descrA->diagonal == MUSPARSE_DIAG_TYPE_UNIT) {
    *info = {};
    return MUSPARSE_STATUS_SUCCESS;
  }
  return analysePivots(self, csrMatrix(m, m, nnz, *descrA, values, offsets, columns), *info);
}
template <class T>
musparseStatus_t csrsv2Solve(Settings& self, musparseOperation_t transA, int m, int nnz, const T* alpha,
                             const musparseMatDescr* descrA, const T* values, const int* offsets,
                             const int* columns, csrsv2Info* info, const T* f, T* x, musparseSolvePolicy_t,
                             void*) {
  using V = ValueOf<T>;
  MUSPARSE_TRY(checkTriangle(transA, m, nnz, descrA, info));
  MUSPARSE_REQUIRE(alpha);
  return enqueue(self, [=, a = csrMatrix(m, m, nnz, *descrA, values, offsets, columns), pivot = info->pivot,
                        factor = Scalar<V>(self, alpha)] {
    const Triangle<V> triangle = triangleOf<V>(a, transA);
    pivot->numerical = zeroBlock(triangle, 1);
    std::vector<V> solution(at(m));
    for (int i = 0; i < m; ++i) solution[at(i)] = times(factor.get(), asValues(f)[i]);
    triangle.solve(solution.data(), 1);
    std::copy(solution.begin(), solution.end(), asValues(x));
  });
}

inline musparseStatus_t checkTriangles(int algo, musparseOperation_t transA, musparseOperation_t transB,
                                       int m, int nrhs, int nnz, const void* alpha,
                                       const musparseMatDescr* descrA, int ldb, const void* info) {
  MUSPARSE_TRY(checkTriangle(transA, m, nnz, descrA, info));
  MUSPARSE_REQUIRE((algo == 0 || algo == 1) && isOperation(transB) && nrhs >= 0 && alpha);
  MUSPARSE_REQUIRE(ldb >= std::max(1, isTurned(transB) ? nrhs : m));
  return MUSPARSE_STATUS_SUCCESS;
}
inline musparseStatus_t csrsm2ZeroPivot(Settings& self, csrsm2Info* info, int* position) {
  return answerPivot(self, info, position);
}
template <class T>
musparseStatus_t csrsm2BufferSizeExt(Settings&, int algo, musparseOperation_t transA,
                                     musparseOperation_t transB, int m, int nrhs, int nnz, const T* alpha,
                                     const musparseMatDescr* descrA, const T*, const int*, const int*,
                                     const T*, int ldb, csrsm2Info* info, musparseSolvePolicy_t,
                                     size_t* size) {
  MUSPARSE_TRY(checkTriangles(algo, transA, transB, m, nrhs, nnz, alpha, descrA, ldb, info));
  return answerSize(size);
}
template <class T>
musparseStatus_t csrsm2Analysis(Settings& self, int algo, musparseOperation_t transA,
                                musparseOperation_t transB, int m, int nrhs, int nnz, const T* alpha,
                                const musparseMatDescr* descrA, const T* values, const int* offsets,
                                const int* columns, const T*, int ldb, csrsm2Info* info,
                                musparseSolvePolicy_t, void*) {
  MUSPARSE_TRY(checkTriangles(algo, transA, transB, m, nrhs, nnz, alpha, descrA, ldb, info));
  if (descrA->diagonal == MUSPARSE_DIAG_TYPE_UNIT) {
    *info = {};
    return MUSPARSE_STATUS_SUCCESS;
  }
  return analysePivots(self, csrMatrix(m, m, nnz, *descrA, values, offsets, columns), *info);
}
// op(A) op(X) = alpha op(B), X in B's place.
template <class T>
musparseStatus_t csrsm2Solve(Settings& self, int algo, musparseOperation_t transA, musparseOperation_t transB,
                             int m, int nrhs, int nnz, const T* alpha, const musparseMatDescr* descrA,
                             const T* values, const int* offsets, const int* columns, T* B, int ldb,
                             csrsm2Info* info, musparseSolvePolicy_t, void*) {
  using V = ValueOf<T>;
  MUSPARSE_TRY(checkTriangles(algo, transA, transB, m, nrhs, nnz, alpha, descrA, ldb, info));
  return enqueue(self, [=, a = csrMatrix(m, m, nnz, *descrA, values, offsets, columns), pivot = info->pivot,
                        factor = Scalar<V>(self, alpha)] {
    const Triangle<V> triangle = triangleOf<V>(a, transA);
    pivot->numerical = zeroBlock(triangle, 1);
    const bool conjugates = transB == MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    const auto place = [&](int64_t row, int64_t column) -> V& {
      return asValues(B)[isTurned(transB) ? row * ldb + column : column * ldb + row];
    };
    std::vector<V> solution(at(int64_t{m} * nrhs));
    for (int64_t row = 0; row < m; ++row)
      for (int64_t column = 0; column < nrhs; ++column) {
        const V value = place(row, column);
        solution[at(row * nrhs + column)] = times(factor.get(), conjugates ? conjugate(value) : value);
      }
    triangle.solve(solution.data(), nrhs);
    for (int64_t row = 0; row < m; ++row)
      for (int64_t column = 0; column < nrhs; ++column) {
        const V value = solution[at(row * nrhs + column)];
        place(row, column) = conjugates ? conjugate(value) : value;
      }
  });
}

}  // namespace musashim::musparse
