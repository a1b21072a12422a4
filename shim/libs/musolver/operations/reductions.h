// Reductions to three or two diagonals and the matrices of the reflectors; some eigenvalues, those of pairs
// of matrices; LDL^T and other small things of LAPACK's.
#pragma once

#include "libs/musolver/operations/work.h"

namespace musashim::musolver {

// Of real matrices the adjoint is the transposed one.
template <class T>
char adjoint(mublasOperation_t op) {
  return op == MUBLAS_OP_N ? 'N' : kIsReal<T> ? 'T' : 'C';
}

// -- Three diagonals --

template <class T>
musolverStatus_t sytrdSize(Settings&, mublasFillMode_t /*uplo*/, int n, const T*, int /*lda*/,
                           const RealOf<T>*, const RealOf<T>*, const T*, int* lwork) {
  return answer(true, lwork, n);
}
template <class T>
musolverStatus_t sytrd(Settings& self, mublasFillMode_t uplo, int n, T* A, int lda, RealOf<T>* d,
                       RealOf<T>* e, T* tau, T* /*work*/, int lwork, int* info) {
  MUSOLVER_REQUIRE(isFill(uplo) && n >= 0 && leads(lda, n) && holds(lwork, 1));
  return enqueue(self, [=] {
    const char u = letter(uplo);
    int result = 0;
    withWork<ValueOf<T>>([&](ValueOf<T>* work, int size) {
      Lapack<T>::sytrd(&u, &n, asValues(A), &lda, d, e, asValues(tau), work, &size, &result, 1);
    });
    tell(info, result);
  });
}
MUSOLVER_SAME_AS(hetrdSize, sytrdSize)
MUSOLVER_SAME_AS(hetrd, sytrd)

template <class T>
musolverStatus_t orgtrSize(Settings&, mublasFillMode_t /*uplo*/, int n, const T*, int /*lda*/, const T*,
                           int* lwork) {
  return answer(true, lwork, n);
}
template <class T>
musolverStatus_t orgtr(Settings& self, mublasFillMode_t uplo, int n, T* A, int lda, const T* tau, T* /*work*/,
                       int lwork, int* info) {
  MUSOLVER_REQUIRE(isFill(uplo) && n >= 0 && leads(lda, n) && holds(lwork, 1));
  return enqueue(self, [=] {
    const char u = letter(uplo);
    int result = 0;
    withWork<ValueOf<T>>([&](ValueOf<T>* work, int size) {
      Lapack<T>::orgtr(&u, &n, asValues(A), &lda, asValues(tau), work, &size, &result, 1);
    });
    tell(info, result);
  });
}
MUSOLVER_SAME_AS(ungtrSize, orgtrSize)
MUSOLVER_SAME_AS(ungtr, orgtr)

inline bool isReflected(mublasSideMode_t side, mublasFillMode_t uplo, mublasOperation_t trans, int m, int n,
                        int lda, int ldc) {
  return isSide(side) && isFill(uplo) && isOperation(trans) && m >= 0 && n >= 0 &&
         leads(lda, side == MUBLAS_SIDE_LEFT ? m : n) && leads(ldc, m);
}
template <class T>
musolverStatus_t ormtrSize(Settings&, mublasSideMode_t side, mublasFillMode_t /*uplo*/,
                           mublasOperation_t /*trans*/, int m, int n, const T*, int /*lda*/, const T*,
                           const T*, int /*ldc*/, int* lwork) {
  return answer(true, lwork, side == MUBLAS_SIDE_LEFT ? n : m);
}
template <class T>
musolverStatus_t ormtr(Settings& self, mublasSideMode_t side, mublasFillMode_t uplo, mublasOperation_t trans,
                       int m, int n, T* A, int lda, T* tau, T* C, int ldc, T* /*work*/, int lwork,
                       int* info) {
  MUSOLVER_REQUIRE(isReflected(side, uplo, trans, m, n, lda, ldc) && holds(lwork, 1));
  return enqueue(self, [=] {
    const char s = letter(side), u = letter(uplo), t = adjoint<T>(trans);
    int result = 0;
    withWork<ValueOf<T>>([&](ValueOf<T>* work, int size) {
      Lapack<T>::ormtr(&s, &u, &t, &m, &n, asValues(A), &lda, asValues(tau), asValues(C), &ldc, work, &size,
                       &result, 1, 1, 1);
    });
    tell(info, result);
  });
}
MUSOLVER_SAME_AS(unmtrSize, ormtrSize)
MUSOLVER_SAME_AS(unmtr, ormtr)

// -- Two diagonals --

inline musolverStatus_t gebrdSize(Settings&, int m, int n, int* Lwork) { return answer(true, Lwork, m + n); }
template <class T>
musolverStatus_t gebrd(Settings& self, int m, int n, T* A, int lda, RealOf<T>* D, RealOf<T>* E, T* TAUQ,
                       T* TAUP, T* /*Work*/, int Lwork, int* devInfo) {
  MUSOLVER_REQUIRE(n >= 0 && m >= 0 && leads(lda, m) && holds(Lwork, 1));
  if (m < n) return MUSOLVER_STATUS_NOT_SUPPORTED;
  return enqueue(self, [=] {
    int result = 0;
    withWork<ValueOf<T>>([&](ValueOf<T>* work, int size) {
      Lapack<T>::gebrd(&m, &n, asValues(A), &lda, D, E, asValues(TAUQ), asValues(TAUP), work, &size, &result);
    });
    tell(devInfo, result);
  });
}

// Q stands left of the two diagonals, P^T right of them.
inline bool isOfTwo(mublasSideMode_t side, int m, int n, int k, int lda) {
  if (!isSide(side) || m < 0 || n < 0 || k < 0 || !leads(lda, m)) return false;
  return side == MUBLAS_SIDE_LEFT ? m >= n && n >= std::min(m, k) : n >= m && m >= std::min(n, k);
}
template <class T>
musolverStatus_t orgbrSize(Settings&, mublasSideMode_t /*side*/, int m, int n, int /*k*/, const T*,
                           int /*lda*/, const T*, int* lwork) {
  return answer(true, lwork, std::min(m, n));
}
template <class T>
musolverStatus_t orgbr(Settings& self, mublasSideMode_t side, int m, int n, int k, T* A, int lda,
                       const T* tau, T* /*work*/, int lwork, int* info) {
  MUSOLVER_REQUIRE(isOfTwo(side, m, n, k, lda) && holds(lwork, 1));
  return enqueue(self, [=] {
    const char which = side == MUBLAS_SIDE_LEFT ? 'Q' : 'P';
    int result = 0;
    withWork<ValueOf<T>>([&](ValueOf<T>* work, int size) {
      Lapack<T>::orgbr(&which, &m, &n, &k, asValues(A), &lda, asValues(tau), work, &size, &result, 1);
    });
    tell(info, result);
  });
}
MUSOLVER_SAME_AS(ungbrSize, orgbrSize)
MUSOLVER_SAME_AS(ungbr, orgbr)

// -- LDL^T, products of triangles, exchanges of rows --

template <class T>
musolverStatus_t sytrfSize(Settings&, int n, T*, int /*lda*/, int* lwork) {
  return answer(true, lwork, n);
}
template <class T>
musolverStatus_t sytrf(Settings& self, mublasFillMode_t uplo, int n, T* A, int lda, int* ipiv, T* /*work*/,
                       int lwork, int* info) {
  MUSOLVER_REQUIRE(isFill(uplo) && n >= 0 && leads(lda, n) && holds(lwork, 1));
  if (!ipiv) return MUSOLVER_STATUS_NOT_SUPPORTED;  // without exchanges
  return enqueue(self, [=] {
    const char u = letter(uplo);
    int result = 0;
    withWork<ValueOf<T>>([&](ValueOf<T>* work, int size) {
      Lapack<T>::sytrf(&u, &n, asValues(A), &lda, ipiv, work, &size, &result, 1);
    });
    tell(info, result);
  });
}
template <class T>
musolverStatus_t sytriSize(Settings&, mublasFillMode_t /*uplo*/, int n, T*, int /*lda*/, const int*,
                           int* lwork) {
  return answer(true, lwork, n);
}
template <class T>
musolverStatus_t sytri(Settings& self, mublasFillMode_t uplo, int n, T* A, int lda, const int* ipiv,
                       T* /*work*/, int lwork, int* info) {
  MUSOLVER_REQUIRE(isFill(uplo) && n >= 0 && leads(lda, n) && holds(lwork, 1));
  if (!ipiv) return MUSOLVER_STATUS_NOT_SUPPORTED;
  return enqueue(self, [=] {
    const char u = letter(uplo);
    std::vector<ValueOf<T>> work(static_cast<size_t>(std::max(1, n)));
    int result = 0;
    Lapack<T>::sytri(&u, &n, asValues(A), &lda, ipiv, work.data(), &result, 1);
    tell(info, result);
  });
}
template <class T>
musolverStatus_t lauumSize(Settings&, mublasFillMode_t /*uplo*/, int n, T*, int /*lda*/, int* lwork) {
  return answer(true, lwork, n);
}
template <class T>
musolverStatus_t lauum(Settings& self, mublasFillMode_t uplo, int n, T* A, int lda, T* /*work*/, int lwork,
                       int* devInfo) {
  MUSOLVER_REQUIRE(isFill(uplo) && n >= 0 && leads(lda, n) && holds(lwork, 1));
  return enqueue(self, [=] {
    const char u = letter(uplo);
    int result = 0;
    Lapack<T>::lauum(&u, &n, asValues(A), &lda, &result, 1);
    tell(devInfo, result);
  });
}
template <class T>
musolverStatus_t laswp(Settings& self, int n, T* A, int lda, int k1, int k2, const int* devIpiv, int incx) {
  MUSOLVER_REQUIRE(n >= 0 && lda >= 1 && k1 >= 1 && k2 >= k1 && devIpiv && incx != 0);
  return enqueue(self, [=] { Lapack<T>::laswp(&n, asValues(A), &lda, &k1, &k2, devIpiv, &incx); });
}

}  // namespace musashim::musolver

#include "libs/musolver/operations/eigenvalues.h"
