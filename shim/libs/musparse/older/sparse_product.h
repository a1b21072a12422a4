// C = alpha A B + beta D, all CSR; without alpha or beta the part that it stands before is not there.
#pragma once

#include "libs/musparse/matrix/product.h"
#include "libs/musparse/operations/work.h"

namespace musashim::musparse {

inline musparseStatus_t checkGemm2(int m, int n, int k, std::initializer_list<const musparseMatDescr*> descrs,
                                   const void* info) {
  MUSPARSE_REQUIRE(m >= 0 && n >= 0 && k >= 0 && info);
  for (const musparseMatDescr* descr : descrs) {
    MUSPARSE_REQUIRE(descr);
    if (descr->type != MUSPARSE_MATRIX_TYPE_GENERAL) return MUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  }
  return MUSPARSE_STATUS_SUCCESS;
}

template <class T>
musparseStatus_t csrgemm2BufferSizeExt(Settings&, int m, int n, int k, const T* alpha,
                                       const musparseMatDescr* descrA, int nnzA, const int*, const int*,
                                       const musparseMatDescr* descrB, int nnzB, const int*, const int*,
                                       const T* beta, const musparseMatDescr* descrD, int nnzD, const int*,
                                       const int*, csrgemm2Info* info, size_t* size) {
  MUSPARSE_REQUIRE((alpha || beta) && nnzA >= 0 && nnzB >= 0 && nnzD >= 0);
  MUSPARSE_TRY(alpha ? checkGemm2(m, n, k, {descrA, descrB}, info) : MUSPARSE_STATUS_SUCCESS);
  MUSPARSE_TRY(beta ? checkGemm2(m, n, k, {descrD}, info) : MUSPARSE_STATUS_SUCCESS);
  info->multiplies = alpha != nullptr;
  info->adds = beta != nullptr;
  return answerSize(size);
}

// The matrices of a call, A and B or D without rows where they are not asked for.
struct Gemm2 {
  musparseSpMatDescr a, b, d;
  bool multiplies, adds;

  template <class V>
  Rows<V> run(V alpha, V beta) const {
    const Rows<V> old = adds ? rowsOf<V>(d) : Rows<V>{};
    if (multiplies) return productOf(rowsOf<V>(a), rowsOf<V>(b), alpha, adds ? &old : nullptr, beta);
    Rows<V> nothing;
    nothing.rows = d.rows;
    nothing.cols = d.cols;
    nothing.offsets.assign(at(d.rows + 1), 0);
    return productOf(nothing, nothing, alpha, &old, beta);
  }
};

inline musparseStatus_t csrgemm2Nnz(Settings& self, int m, int n, int k, const musparseMatDescr* descrA,
                                    int nnzA, const int* offsetsA, const int* columnsA,
                                    const musparseMatDescr* descrB, int nnzB, const int* offsetsB,
                                    const int* columnsB, const musparseMatDescr* descrD, int nnzD,
                                    const int* offsetsD, const int* columnsD, const musparseMatDescr* descrC,
                                    int* offsetsC, int* total, const csrgemm2Info* info, void*) {
  MUSPARSE_REQUIRE(info && total && offsetsC);
  MUSPARSE_TRY(info->multiplies ? checkGemm2(m, n, k, {descrA, descrB, descrC}, info)
                                : checkGemm2(m, n, k, {descrC}, info));
  MUSPARSE_TRY(info->adds ? checkGemm2(m, n, k, {descrD}, info) : MUSPARSE_STATUS_SUCCESS);
  Gemm2 work{{}, {}, {}, info->multiplies, info->adds};
  if (work.multiplies) {
    work.a = csrMatrix<void>(m, k, nnzA, *descrA, nullptr, offsetsA, columnsA);
    work.b = csrMatrix<void>(k, n, nnzB, *descrB, nullptr, offsetsB, columnsB);
  }
  if (work.adds) work.d = csrMatrix<void>(m, n, nnzD, *descrD, nullptr, offsetsD, columnsD);
  return enqueueResult(self, [=, base = static_cast<int>(descrC->base)] {
    const Rows<float> c = work.run(0.0F, 0.0F);
    for (int row = 0; row <= m; ++row) offsetsC[row] = static_cast<int>(c.offsets[at(row)]) + base;
    *total = static_cast<int>(c.columns.size());
  });
}

template <class T>
musparseStatus_t csrgemm2(Settings& self, int m, int n, int k, const T* alpha, const musparseMatDescr* descrA,
                          int nnzA, const T* valuesA, const int* offsetsA, const int* columnsA,
                          const musparseMatDescr* descrB, int nnzB, const T* valuesB, const int* offsetsB,
                          const int* columnsB, const T* beta, const musparseMatDescr* descrD, int nnzD,
                          const T* valuesD, const int* offsetsD, const int* columnsD,
                          const musparseMatDescr* descrC, T* valuesC, const int* offsetsC, int* columnsC,
                          const csrgemm2Info* info, void*) {
  using V = ValueOf<T>;
  MUSPARSE_REQUIRE(info && (alpha || beta));
  MUSPARSE_TRY(alpha ? checkGemm2(m, n, k, {descrA, descrB, descrC}, info)
                     : checkGemm2(m, n, k, {descrC}, info));
  MUSPARSE_TRY(beta ? checkGemm2(m, n, k, {descrD}, info) : MUSPARSE_STATUS_SUCCESS);
  Gemm2 work{{}, {}, {}, alpha != nullptr, beta != nullptr};
  if (alpha) {
    work.a = csrMatrix(m, k, nnzA, *descrA, valuesA, offsetsA, columnsA);
    work.b = csrMatrix(k, n, nnzB, *descrB, valuesB, offsetsB, columnsB);
  }
  if (beta) work.d = csrMatrix(m, n, nnzD, *descrD, valuesD, offsetsD, columnsD);
  return enqueue(self, [=, base = static_cast<int>(descrC->base), factor = Scalar<V>(self, alpha),
                        old = Scalar<V>(self, beta)] {
    const Rows<V> c = work.run(alpha ? factor.get() : V(0), beta ? old.get() : V(0));
    for (int row = 0; row < m; ++row) {
      int64_t to = offsetsC[row] - base;
      for (int64_t i = c.offsets[at(row)]; i < c.offsets[at(row + 1)]; ++i, ++to) {
        columnsC[to] = static_cast<int>(c.columns[at(i)]) + base;
        asValues(valuesC)[to] = c.values[at(i)];
      }
    }
  });
}

}  // namespace musashim::musparse
