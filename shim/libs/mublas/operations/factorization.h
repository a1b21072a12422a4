// Factorisations, inverses and solutions of batches of small matrices. The arrays of pointers, of pivots
// (from 1) and of each matrix's `info` are the device's; what the call itself has to say of its arguments is
// on the host.
#pragma once

#include <vector>

#include "libs/mublas/operations/rearrange.h"

namespace musashim::mublas {

// LU without exchanges of rows, in place. Returns the place of the first pivot that is 0, from 1, or 0.
template <class V>
int factorWithoutPivots(V* matrix, int n, int ld) {
  int singular = 0;
  for (ptrdiff_t step = 0; step < n; ++step) {
    V* const pivotColumn = matrix + step * ld;
    if (pivotColumn[step] == V(0)) {
      if (singular == 0) singular = static_cast<int>(step) + 1;
      continue;
    }
    for (ptrdiff_t row = step + 1; row < n; ++row) pivotColumn[row] /= pivotColumn[step];
    for (ptrdiff_t column = step + 1; column < n; ++column) {
      V* const to = matrix + column * ld;
      for (ptrdiff_t row = step + 1; row < n; ++row) to[row] -= pivotColumn[row] * to[step];
    }
  }
  return singular;
}

template <class T>
mublasStatus_t getrfBatched(Settings& self, int n, T* const* A, int lda, int* P, int* info, int batchSize) {
  MUBLAS_REQUIRE(n >= 0 && leads(lda, n) && batchSize >= 0, MUBLAS_STATUS_INVALID_VALUE);
  if (n == 0 || batchSize == 0) return MUBLAS_STATUS_SUCCESS;  // `info` stays as it is
  MUBLAS_REQUIRE(A && info, MUBLAS_STATUS_INVALID_VALUE);
  return enqueue(self, [=] {
    for (ptrdiff_t i = 0; i < batchSize; ++i) {
      info[i] = 0;
      if (P) {
        Blas<T>::getrf(&n, &n, asValues(A[i]), &lda, P + i * n, info + i);
      } else {
        info[i] = factorWithoutPivots(asValues(A[i]), n, lda);
      }
    }
  });
}

// Pivots of a matrix that was factored without exchanges.
inline std::vector<int> unmoved(int n) {
  std::vector<int> pivots(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) pivots[static_cast<size_t>(i)] = i + 1;
  return pivots;
}

// The inverse of a factored matrix in place. Returns LAPACK's info.
template <class T>
int invertFactored(T* matrix, int n, int ld, const int* pivots) {
  std::vector<ValueOf<T>> work(static_cast<size_t>(n) * 32);
  const int size = static_cast<int>(work.size());
  int info = 0;
  Blas<T>::getri(&n, asValues(matrix), &ld, pivots, work.data(), &size, &info);
  return info;
}

template <class T>
mublasStatus_t getriBatched(Settings& self, int n, const T* const* A, int lda, const int* P, T* const* C,
                            int ldc, int* info, int batchSize) {
  MUBLAS_REQUIRE(n >= 0 && leads(lda, n) && leads(ldc, n) && batchSize >= 0, MUBLAS_STATUS_INVALID_VALUE);
  if (n == 0 || batchSize == 0) return MUBLAS_STATUS_SUCCESS;  // `info` stays as it is
  MUBLAS_REQUIRE(A && C && info, MUBLAS_STATUS_INVALID_VALUE);
  return enqueue(self, [=] {
    const std::vector<int> own = P ? std::vector<int>() : unmoved(n);
    for (ptrdiff_t i = 0; i < batchSize; ++i) {
      for (ptrdiff_t column = 0; A[i] != C[i] && column < n; ++column)
        std::copy_n(A[i] + column * lda, n, C[i] + column * ldc);
      info[i] = invertFactored(C[i], n, ldc, P ? P + i * n : own.data());
    }
  });
}

template <class T>
mublasStatus_t matinvBatched(Settings& self, int n, const T* const* A, int lda, T* const* Ainv, int lda_inv,
                             int* info, int batchSize) {
  MUBLAS_REQUIRE(n >= 0 && leads(lda, n) && leads(lda_inv, n) && batchSize >= 0, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(n <= 32, MUBLAS_STATUS_INVALID_VALUE);        // as documented
  if (n == 0 || batchSize == 0) return MUBLAS_STATUS_SUCCESS;  // `info` stays as it is
  MUBLAS_REQUIRE(A && Ainv && info, MUBLAS_STATUS_INVALID_VALUE);
  return enqueue(self, [=] {
    std::vector<int> pivots(static_cast<size_t>(n));
    for (ptrdiff_t i = 0; i < batchSize; ++i) {
      for (ptrdiff_t column = 0; column < n; ++column)
        std::copy_n(A[i] + column * lda, n, Ainv[i] + column * lda_inv);
      info[i] = 0;
      Blas<T>::getrf(&n, &n, asValues(Ainv[i]), &lda_inv, pivots.data(), info + i);
      if (info[i] == 0) info[i] = invertFactored(Ainv[i], n, lda_inv, pivots.data());
    }
  });
}

// What is wrong with the arguments is told twice, also at `info` on the host: as the negative number of the
// argument.
template <class T>
mublasStatus_t getrsBatched(Settings& self, mublasOperation_t trans, int n, int nrhs, const T* const* Aarray,
                            int lda, const int* devIpiv, T* const* Barray, int ldb, int* info,
                            int batchSize) {
  MUBLAS_REQUIRE(info, MUBLAS_STATUS_INVALID_VALUE);
  const bool wrong[] = {!isOperation(trans), n < 0,        nrhs < 0, !Aarray, !leads(lda, n), false, !Barray,
                        !leads(ldb, n),      batchSize < 0};
  constexpr int kNumbers[] = {-1, -2, -3, -4, -5, -6, -7, -8, -10};
  for (size_t i = 0; i < std::size(wrong); ++i) {
    if (!wrong[i]) continue;
    *info = kNumbers[i];
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  *info = 0;
  if (n == 0 || nrhs == 0 || batchSize == 0) return MUBLAS_STATUS_SUCCESS;
  return enqueue(self, [=] {
    const std::vector<int> own = devIpiv ? std::vector<int>() : unmoved(n);
    const char t = letter(trans);
    for (ptrdiff_t i = 0; i < batchSize; ++i) {
      int ignored = 0;
      Blas<T>::getrs(&t, &n, &nrhs, asValues(Aarray[i]), &lda, devIpiv ? devIpiv + i * n : own.data(),
                     asValues(Barray[i]), &ldb, &ignored, 1);
    }
  });
}

// `info` is the host's: only about the arguments.
template <class T>
mublasStatus_t geqrfBatched(Settings& self, int m, int n, T* const* Aarray, int lda, T* const* TauArray,
                            int* info, int batchSize) {
  MUBLAS_REQUIRE(info, MUBLAS_STATUS_INVALID_VALUE);
  *info = m < 0            ? -1
          : n < 0          ? -2
          : !Aarray        ? -3
          : !leads(lda, m) ? -4
          : !TauArray      ? -5
          : batchSize < 0  ? -7
                           : 0;
  MUBLAS_REQUIRE(*info == 0, MUBLAS_STATUS_INVALID_VALUE);
  if (m == 0 || n == 0 || batchSize == 0) return MUBLAS_STATUS_SUCCESS;
  return enqueue(self, [=] {
    std::vector<ValueOf<T>> work(static_cast<size_t>(n) * 32);
    const int size = static_cast<int>(work.size());
    for (ptrdiff_t i = 0; i < batchSize; ++i) {
      int ignored = 0;
      Blas<T>::geqrf(&m, &n, asValues(Aarray[i]), &lda, asValues(TauArray[i]), work.data(), &size, &ignored);
    }
  });
}

// Least squares; only for tall matrices of full rank that are not transposed, as documented.
template <class T>
mublasStatus_t gelsBatched(Settings& self, mublasOperation_t trans, int m, int n, int nrhs, T* const* Aarray,
                           int lda, T* const* Carray, int ldc, int* info, int* devInfoArray, int batchSize) {
  MUBLAS_REQUIRE(info, MUBLAS_STATUS_INVALID_VALUE);
  *info = !isOperation(trans) ? -1
          : m < 0             ? -2
          : n < 0             ? -3
          : nrhs < 0          ? -4
          : !Aarray           ? -5
          : !leads(lda, m)    ? -6
          : !Carray           ? -7
          : !leads(ldc, m)    ? -8
          : batchSize < 0     ? -11
                              : 0;
  MUBLAS_REQUIRE(*info == 0, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(trans == MUBLAS_OP_N && m >= n, MUBLAS_STATUS_NOT_SUPPORTED);
  if (m == 0 || n == 0 || nrhs == 0 || batchSize == 0) return MUBLAS_STATUS_SUCCESS;
  return enqueue(self, [=] {
    std::vector<ValueOf<T>> work(static_cast<size_t>(n + std::max(n, nrhs) * 32));
    const int size = static_cast<int>(work.size());
    for (ptrdiff_t i = 0; i < batchSize; ++i) {
      const char t = 'N';
      int singular = 0;
      Blas<T>::gels(&t, &m, &n, &nrhs, asValues(Aarray[i]), &lda, asValues(Carray[i]), &ldc, work.data(),
                    &size, &singular, 1);
      if (devInfoArray) devInfoArray[i] = singular;
    }
  });
}

}  // namespace musashim::mublas
