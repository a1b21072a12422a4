// Cholesky's factors and solutions of many matrices that pointers on the device lead to.
#pragma once

#include "libs/core/share.h"
#include "libs/musolver/operations/work.h"

namespace musashim::musolver {

template <class T>
musolverStatus_t potrfBatched(Settings& self, mublasFillMode_t uplo, int n, T** Aarray, int lda,
                              int* infoArray, int batchSize) {
  MUSOLVER_REQUIRE(isFill(uplo) && n >= 0 && leads(lda, n) && batchSize > 0);
  return enqueue(self, [=] {
    const char u = letter(uplo);
    for (int i = 0; i < batchSize; ++i) Lapack<T>::potrf(&u, &n, asValues(Aarray[i]), &lda, infoArray + i, 1);
  });
}

// One right-hand side each, as documented.
template <class T>
musolverStatus_t potrsBatched(Settings& self, mublasFillMode_t uplo, int n, int nrhs, T** A, int lda, T** B,
                              int ldb, int* info, int batchSize) {
  MUSOLVER_REQUIRE(isFill(uplo) && n >= 0 && nrhs >= 0 && nrhs <= 1 && leads(lda, n) && leads(ldb, n) &&
                   batchSize > 0);
  return enqueue(self, [=] {
    const char u = letter(uplo);
    int result = 0;
    for (int i = 0; i < batchSize; ++i)
      Lapack<T>::potrs(&u, &n, &nrhs, asValues(A[i]), &lda, asValues(B[i]), &ldb, &result, 1);
    tell(info, 0);
  });
}

}  // namespace musashim::musolver
