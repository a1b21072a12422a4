// Level 3: matrices, but for the products of any two of them (gemm.h).
#pragma once

#include "libs/mublas/operations/gemm.h"

namespace musashim::mublas {

#define MUBLAS_SYMM(name)                                                                                    \
  template <class T>                                                                                         \
  mublasStatus_t name(Settings& self, mublasSideMode_t side, mublasFillMode_t uplo, int m, int n,            \
                      const Known<T>* alpha, const T* A, int lda, const T* B, int ldb, const Known<T>* beta, \
                      T* C, int ldc) {                                                                       \
    MUBLAS_REQUIRE(isSide(side) && isFill(uplo) && m >= 0 && n >= 0, MUBLAS_STATUS_INVALID_VALUE);           \
    MUBLAS_REQUIRE(leads(lda, side == MUBLAS_SIDE_LEFT ? m : n) && leads(ldb, m) && leads(ldc, m),           \
                   MUBLAS_STATUS_INVALID_VALUE);                                                             \
    MUBLAS_REQUIRE(alpha&& beta, MUBLAS_STATUS_INVALID_VALUE);                                               \
    if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;                                                      \
    const Scalar<T> a(self, alpha), b(self, beta);                                                           \
    return enqueue(self, [=] {                                                                               \
      const char s = letter(side), u = letter(uplo);                                                         \
      const auto aValue = a.get(), bValue = b.get();                                                         \
      Blas<T>::name(&s, &u, &m, &n, &aValue, asValues(A), &lda, asValues(B), &ldb, &bValue, asValues(C),     \
                    &ldc);                                                                                   \
    });                                                                                                      \
  }
MUBLAS_SYMM(symm)
MUBLAS_SYMM(hemm)

// What updates of a symmetric (T) or Hermitian (C) matrix by matrices of n x k ask of their arguments.
inline bool isUpdate(mublasFillMode_t uplo, mublasOperation_t trans, int n, int k, int lda, int ldb,
                     int ldc) {
  const int rows = trans == MUBLAS_OP_N ? n : k;
  return isFill(uplo) && isOperation(trans) && n >= 0 && k >= 0 && leads(lda, rows) && leads(ldb, rows) &&
         leads(ldc, n);
}

// A (real) T is as good as a C; of complex matrices symmetric ones have T, Hermitian ones C.
template <class T>
bool takes(mublasOperation_t trans, mublasOperation_t other) {
  return !Numbers<T>::isComplex || trans == MUBLAS_OP_N || trans == other;
}

// As cuBLAS has it for one matrix: whatever is not N means the one that there is.
inline mublasOperation_t transposed(mublasOperation_t trans, mublasOperation_t meant) {
  return trans == MUBLAS_OP_N || !isOperation(trans) ? trans : meant;
}

// The matrix's own factor is FA, the sum's FB.
template <class T, class FA, class FB, class Run>
mublasStatus_t update(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, bool valid, int n,
                      const FA* alpha, const FB* beta, Run run) {
  MUBLAS_REQUIRE(valid && alpha && beta, MUBLAS_STATUS_INVALID_VALUE);
  if (n == 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<FA> a(self, alpha);
  const Scalar<FB> b(self, beta);
  return enqueue(self, [=] { run(letter(uplo), letter(trans), a.get(), b.get()); });
}

template <class T>
mublasStatus_t syrk(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, int n, int k,
                    const Known<T>* alpha, const T* A, int lda, const Known<T>* beta, T* C, int ldc) {
  const bool valid = isUpdate(uplo, trans, n, k, lda, lda, ldc);
  return update<T>(self, uplo, transposed(trans, MUBLAS_OP_T), valid, n, alpha, beta,
                   [=](char u, char t, auto a, auto b) {
                     Blas<T>::syrk(&u, &t, &n, &k, &a, asValues(A), &lda, &b, asValues(C), &ldc);
                   });
}

template <class T>
mublasStatus_t herk(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, int n, int k,
                    const RealOf<T>* alpha, const T* A, int lda, const RealOf<T>* beta, T* C, int ldc) {
  const bool valid = isUpdate(uplo, trans, n, k, lda, lda, ldc);
  return update<T>(self, uplo, transposed(trans, MUBLAS_OP_C), valid, n, alpha, beta,
                   [=](char u, char t, auto a, auto b) {
                     Blas<T>::herk(&u, &t, &n, &k, &a, asValues(A), &lda, &b, asValues(C), &ldc);
                   });
}

template <class T>
mublasStatus_t syr2k(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, int n, int k,
                     const Known<T>* alpha, const T* A, int lda, const T* B, int ldb, const Known<T>* beta,
                     T* C, int ldc) {
  MUBLAS_REQUIRE(takes<T>(trans, MUBLAS_OP_T), kBadOption);
  const bool valid = isUpdate(uplo, trans, n, k, lda, ldb, ldc);
  return update<T>(self, uplo, trans, valid, n, alpha, beta, [=](char u, char t, auto a, auto b) {
    Blas<T>::syr2k(&u, &t, &n, &k, &a, asValues(A), &lda, asValues(B), &ldb, &b, asValues(C), &ldc);
  });
}

template <class T>
mublasStatus_t her2k(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, int n, int k,
                     const Known<T>* alpha, const T* A, int lda, const T* B, int ldb, const RealOf<T>* beta,
                     T* C, int ldc) {
  MUBLAS_REQUIRE(takes<T>(trans, MUBLAS_OP_C), kBadOption);
  const bool valid = isUpdate(uplo, trans, n, k, lda, ldb, ldc);
  return update<T>(self, uplo, trans, valid, n, alpha, beta, [=](char u, char t, auto a, auto b) {
    Blas<T>::her2k(&u, &t, &n, &k, &a, asValues(A), &lda, asValues(B), &ldb, &b, asValues(C), &ldc);
  });
}

// C = alpha op(A) op(B)^T + beta C, of which only one triangle is touched; with H for T (`other` C) its
// diagonal is real. FB is the type of beta.
template <class T, class FB>
mublasStatus_t updateByTwo(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, int n, int k,
                           const T* alpha, const T* A, int lda, const T* B, int ldb, const FB* beta, T* C,
                           int ldc, mublasOperation_t other) {
  MUBLAS_REQUIRE(takes<T>(trans, other), kBadOption);
  MUBLAS_REQUIRE(isUpdate(uplo, trans, n, k, lda, ldb, ldc), MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(alpha && beta, MUBLAS_STATUS_INVALID_VALUE);
  if (n == 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<T> a(self, alpha);
  const Scalar<FB> b(self, beta);
  return enqueue(self, [=] {
    using Value = ValueOf<T>;
    const bool plain = trans == MUBLAS_OP_N;
    const Shape shape{plain ? MUBLAS_OP_N : other, plain ? other : MUBLAS_OP_N, n, n, k, lda, ldb, n};
    std::vector<Value> product(static_cast<size_t>(n) * static_cast<size_t>(n));
    multiply(shape, a.get(), asValues(A), asValues(B), Value(0), product.data());
    const auto factor = b.get();
    const bool lower = uplo == MUBLAS_FILL_MODE_LOWER;
    for (ptrdiff_t column = 0; column < n; ++column) {
      Value* const to = asValues(C) + column * ldc;
      const Value* const from = product.data() + column * n;
      const ptrdiff_t last = lower ? n : column + 1;
      for (ptrdiff_t row = lower ? column : 0; row < last; ++row)
        to[row] = factor == ValueOf<FB>(0) ? from[row] : from[row] + factor * to[row];
      if constexpr (Numbers<T>::isComplex) {
        if (other == MUBLAS_OP_C) to[column].imag(0);
      }
    }
  });
}

template <class T>
mublasStatus_t syrkx(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, int n, int k,
                     const Known<T>* alpha, const T* A, int lda, const T* B, int ldb, const Known<T>* beta,
                     T* C, int ldc) {
  return updateByTwo(self, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc, MUBLAS_OP_T);
}
template <class T>
mublasStatus_t herkx(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, int n, int k,
                     const Known<T>* alpha, const T* A, int lda, const T* B, int ldb, const RealOf<T>* beta,
                     T* C, int ldc) {
  return updateByTwo(self, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc, MUBLAS_OP_C);
}

// A triangular matrix and others of m x n.
struct Triangle {
  mublasSideMode_t side;
  mublasFillMode_t uplo;
  mublasOperation_t trans;
  mublasDiagType_t diag;
  int m, n;

  bool isValid(int lda, int ldb) const {
    return isSide(side) && isFill(uplo) && isOperation(trans) && isDiagonal(diag) && m >= 0 && n >= 0 &&
           leads(lda, side == MUBLAS_SIDE_LEFT ? m : n) && leads(ldb, m);
  }
  bool isEmpty() const { return m == 0 || n == 0; }
};

template <class T>
void solve(const Triangle& t, ValueOf<T> alpha, const T* A, int lda, T* B, int ldb) {
  const char side = letter(t.side), uplo = letter(t.uplo), trans = letter(t.trans), diag = letter(t.diag);
  Blas<T>::trsm(&side, &uplo, &trans, &diag, &t.m, &t.n, &alpha, asValues(A), &lda, asValues(B), &ldb);
}

template <class T>
mublasStatus_t trsm(Settings& self, mublasSideMode_t side, mublasFillMode_t uplo, mublasOperation_t trans,
                    mublasDiagType_t diag, int m, int n, const Known<T>* alpha, const T* A, int lda, T* B,
                    int ldb) {
  const Triangle triangle{side, uplo, trans, diag, m, n};
  MUBLAS_REQUIRE(triangle.isValid(lda, ldb) && alpha, MUBLAS_STATUS_INVALID_VALUE);
  if (triangle.isEmpty()) return MUBLAS_STATUS_SUCCESS;
  const Scalar<T> a(self, alpha);
  return enqueue(self, [=] { solve(triangle, a.get(), A, lda, B, ldb); });
}

template <class T>
mublasStatus_t trsmBatched(Settings& self, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublasOperation_t trans, mublasDiagType_t diag, int m, int n,
                           const Known<T>* alpha, const T* const* A, int lda, T* const* B, int ldb,
                           int batchCount) {
  const Triangle triangle{side, uplo, trans, diag, m, n};
  MUBLAS_REQUIRE(triangle.isValid(lda, ldb) && alpha && batchCount >= 0, MUBLAS_STATUS_INVALID_VALUE);
  if (triangle.isEmpty() || batchCount == 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<T> a(self, alpha);
  return enqueue(self, [=] {
    for (int i = 0; i < batchCount; ++i) solve(triangle, a.get(), A[i], lda, B[i], ldb);
  });
}

// C = alpha op(A) B, or B op(A); unlike BLAS's it may be out of place.
template <class T>
mublasStatus_t trmm(Settings& self, mublasSideMode_t side, mublasFillMode_t uplo, mublasOperation_t trans,
                    mublasDiagType_t diag, int m, int n, const Known<T>* alpha, const T* A, int lda,
                    const T* B, int ldb, T* C, int ldc) {
  const Triangle triangle{side, uplo, trans, diag, m, n};
  MUBLAS_REQUIRE(triangle.isValid(lda, ldb) && leads(ldc, m) && alpha, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(B != C || ldb == ldc, MUBLAS_STATUS_INVALID_VALUE);
  if (triangle.isEmpty()) return MUBLAS_STATUS_SUCCESS;
  const Scalar<T> a(self, alpha);
  return enqueue(self, [=] {
    for (ptrdiff_t column = 0; B != C && column < n; ++column)
      std::copy_n(B + column * ldb, m, C + column * ldc);
    const char s = letter(side), u = letter(uplo), t = letter(trans), d = letter(diag);
    const auto value = a.get();
    Blas<T>::trmm(&s, &u, &t, &d, &m, &n, &value, asValues(A), &lda, asValues(C), &ldc);
  });
}

}  // namespace musashim::mublas
