// Level 2: a matrix and vectors.
#pragma once

#include "libs/mublas/operations/work.h"

namespace musashim::mublas {

template <class T>
mublasStatus_t gemv(Settings& self, mublasOperation_t trans, int m, int n, const Known<T>* alpha, const T* A,
                    int lda, const T* x, int incx, const Known<T>* beta, T* y, int incy) {
  // cuBLAS 13 does nothing, and says nothing, where sizes, steps and operations make no product.
  MUBLAS_REQUIRE(alpha && beta && (m < 0 || leads(lda, m)), MUBLAS_STATUS_INVALID_VALUE);
  if (!isOperation(trans) || m <= 0 || n <= 0 || incx == 0 || incy == 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<T> a(self, alpha), b(self, beta);
  return enqueue(self, [=] {
    const char t = letter(trans);
    const auto aValue = a.get(), bValue = b.get();
    Blas<T>::gemv(&t, &m, &n, &aValue, asValues(A), &lda, asValues(x), &incx, &bValue, asValues(y), &incy);
  });
}

template <class T>
mublasStatus_t gbmv(Settings& self, mublasOperation_t trans, int m, int n, int kl, int ku,
                    const Known<T>* alpha, const T* A, int lda, const T* x, int incx, const Known<T>* beta,
                    T* y, int incy) {
  MUBLAS_REQUIRE(isOperation(trans) && m >= 0 && n >= 0 && kl >= 0 && ku >= 0, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(lda >= kl + ku + 1 && incx != 0 && incy != 0 && alpha && beta, MUBLAS_STATUS_INVALID_VALUE);
  if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<T> a(self, alpha), b(self, beta);
  return enqueue(self, [=] {
    const char t = letter(trans);
    const auto aValue = a.get(), bValue = b.get();
    Blas<T>::gbmv(&t, &m, &n, &kl, &ku, &aValue, asValues(A), &lda, asValues(x), &incx, &bValue, asValues(y),
                  &incy);
  });
}

// y = alpha A x + beta y of a matrix that is its own transpose: `run` calls BLAS with the factors and the
// letter.
template <class T, class Run>
mublasStatus_t symmetricTimesVector(Settings& self, mublasFillMode_t uplo, int n, bool valid, const T* alpha,
                                    int incx, const T* beta, int incy, Run run) {
  MUBLAS_REQUIRE(isFill(uplo) && n >= 0 && valid && incx != 0 && incy != 0, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(alpha && beta, MUBLAS_STATUS_INVALID_VALUE);
  if (n == 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<T> a(self, alpha), b(self, beta);
  return enqueue(self, [=] { run(letter(uplo), a.get(), b.get()); });
}

template <class T>
mublasStatus_t symv(Settings& self, mublasFillMode_t uplo, int n, const Known<T>* alpha, const T* A, int lda,
                    const T* x, int incx, const Known<T>* beta, T* y, int incy) {
  return symmetricTimesVector<T>(
      self, uplo, n, leads(lda, n), alpha, incx, beta, incy, [=](char u, auto a, auto b) {
        Blas<T>::symv(&u, &n, &a, asValues(A), &lda, asValues(x), &incx, &b, asValues(y), &incy);
      });
}

template <class T>
mublasStatus_t hemv(Settings& self, mublasFillMode_t uplo, int n, const Known<T>* alpha, const T* A, int lda,
                    const T* x, int incx, const Known<T>* beta, T* y, int incy) {
  return symmetricTimesVector<T>(
      self, uplo, n, leads(lda, n), alpha, incx, beta, incy, [=](char u, auto a, auto b) {
        Blas<T>::hemv(&u, &n, &a, asValues(A), &lda, asValues(x), &incx, &b, asValues(y), &incy);
      });
}

template <class T>
mublasStatus_t hbmv(Settings& self, mublasFillMode_t uplo, int n, int k, const Known<T>* alpha, const T* A,
                    int lda, const T* x, int incx, const Known<T>* beta, T* y, int incy) {
  return symmetricTimesVector<T>(
      self, uplo, n, k >= 0 && lda >= k + 1, alpha, incx, beta, incy, [=](char u, auto a, auto b) {
        Blas<T>::hbmv(&u, &n, &k, &a, asValues(A), &lda, asValues(x), &incx, &b, asValues(y), &incy);
      });
}
template <class T>
mublasStatus_t sbmv(Settings& self, mublasFillMode_t uplo, int n, int k, const Known<T>* alpha, const T* A,
                    int lda, const T* x, int incx, const Known<T>* beta, T* y, int incy) {
  return hbmv(self, uplo, n, k, alpha, A, lda, x, incx, beta, y, incy);
}

template <class T>
mublasStatus_t hpmv(Settings& self, mublasFillMode_t uplo, int n, const Known<T>* alpha, const T* AP,
                    const T* x, int incx, const Known<T>* beta, T* y, int incy) {
  return symmetricTimesVector<T>(self, uplo, n, true, alpha, incx, beta, incy, [=](char u, auto a, auto b) {
    Blas<T>::hpmv(&u, &n, &a, asValues(AP), asValues(x), &incx, &b, asValues(y), &incy);
  });
}
template <class T>
mublasStatus_t spmv(Settings& self, mublasFillMode_t uplo, int n, const Known<T>* alpha, const T* AP,
                    const T* x, int incx, const Known<T>* beta, T* y, int incy) {
  return hpmv(self, uplo, n, alpha, AP, x, incx, beta, y, incy);
}

// Products and solutions in place with a triangular matrix: `run` calls BLAS with the three letters.
template <class Run>
mublasStatus_t triangular(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans,
                          mublasDiagType_t diag, int n, bool valid, int incx, Run run) {
  MUBLAS_REQUIRE(isFill(uplo) && isOperation(trans) && isDiagonal(diag) && n >= 0,
                 MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(valid && incx != 0, MUBLAS_STATUS_INVALID_VALUE);
  if (n == 0) return MUBLAS_STATUS_SUCCESS;
  return enqueue(self, [=] { run(letter(uplo), letter(trans), letter(diag)); });
}

#define MUBLAS_TRIANGULAR(name)                                                                              \
  template <class T>                                                                                         \
  mublasStatus_t name(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, mublasDiagType_t diag, \
                      int n, const T* A, int lda, T* x, int incx) {                                          \
    return triangular(self, uplo, trans, diag, n, leads(lda, n), incx, [=](char u, char t, char d) {         \
      Blas<T>::name(&u, &t, &d, &n, asValues(A), &lda, asValues(x), &incx);                                  \
    });                                                                                                      \
  }
#define MUBLAS_TRIANGULAR_BAND(name)                                                                         \
  template <class T>                                                                                         \
  mublasStatus_t name(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, mublasDiagType_t diag, \
                      int n, int k, const T* A, int lda, T* x, int incx) {                                   \
    return triangular(self, uplo, trans, diag, n, k >= 0 && lda >= k + 1, incx,                              \
                      [=](char u, char t, char d) {                                                          \
                        Blas<T>::name(&u, &t, &d, &n, &k, asValues(A), &lda, asValues(x), &incx);            \
                      });                                                                                    \
  }
#define MUBLAS_TRIANGULAR_PACKED(name)                                                                       \
  template <class T>                                                                                         \
  mublasStatus_t name(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, mublasDiagType_t diag, \
                      int n, const T* AP, T* x, int incx) {                                                  \
    return triangular(self, uplo, trans, diag, n, true, incx, [=](char u, char t, char d) {                  \
      Blas<T>::name(&u, &t, &d, &n, asValues(AP), asValues(x), &incx);                                       \
    });                                                                                                      \
  }
MUBLAS_TRIANGULAR(trmv)
MUBLAS_TRIANGULAR(trsv)
MUBLAS_TRIANGULAR_BAND(tbmv)
MUBLAS_TRIANGULAR_BAND(tbsv)
MUBLAS_TRIANGULAR_PACKED(tpmv)
MUBLAS_TRIANGULAR_PACKED(tpsv)

#define MUBLAS_GER(name, call)                                                                               \
  template <class T>                                                                                         \
  mublasStatus_t name(Settings& self, int m, int n, const Known<T>* alpha, const T* x, int incx, const T* y, \
                      int incy, T* A, int lda) {                                                             \
    MUBLAS_REQUIRE(m >= 0 && n >= 0 && leads(lda, m) && incx != 0 && incy != 0 && alpha,                     \
                   MUBLAS_STATUS_INVALID_VALUE);                                                             \
    if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;                                                      \
    const Scalar<T> a(self, alpha);                                                                          \
    return enqueue(self, [=] {                                                                               \
      const auto value = a.get();                                                                            \
      Blas<T>::call(&m, &n, &value, asValues(x), &incx, asValues(y), &incy, asValues(A), &lda);              \
    });                                                                                                      \
  }
MUBLAS_GER(ger, geru)
MUBLAS_GER(geru, geru)
MUBLAS_GER(gerc, gerc)

// Updates of a symmetric matrix: `run` calls BLAS with the letter and the factor, of type F.
template <class F, class Run>
mublasStatus_t updateSymmetric(Settings& self, mublasFillMode_t uplo, int n, bool valid, const F* alpha,
                               int incx, int incy, Run run) {
  MUBLAS_REQUIRE(isFill(uplo) && n >= 0 && valid && incx != 0 && incy != 0 && alpha,
                 MUBLAS_STATUS_INVALID_VALUE);
  if (n == 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<F> a(self, alpha);
  return enqueue(self, [=] { run(letter(uplo), a.get()); });
}

template <class T>
mublasStatus_t syr(Settings& self, mublasFillMode_t uplo, int n, const Known<T>* alpha, const T* x, int incx,
                   T* A, int lda) {
  return updateSymmetric<T>(self, uplo, n, leads(lda, n), alpha, incx, 1, [=](char u, auto a) {
    Blas<T>::syr(&u, &n, &a, asValues(x), &incx, asValues(A), &lda);
  });
}

template <class T>
mublasStatus_t her(Settings& self, mublasFillMode_t uplo, int n, const RealOf<T>* alpha, const T* x, int incx,
                   T* A, int lda) {
  return updateSymmetric<RealOf<T>>(self, uplo, n, leads(lda, n), alpha, incx, 1, [=](char u, auto a) {
    Blas<T>::her(&u, &n, &a, asValues(x), &incx, asValues(A), &lda);
  });
}

template <class T>
mublasStatus_t hpr(Settings& self, mublasFillMode_t uplo, int n, const RealOf<T>* alpha, const T* x, int incx,
                   T* AP) {
  return updateSymmetric<RealOf<T>>(self, uplo, n, true, alpha, incx, 1, [=](char u, auto a) {
    Blas<T>::hpr(&u, &n, &a, asValues(x), &incx, asValues(AP));
  });
}
template <class T>
mublasStatus_t spr(Settings& self, mublasFillMode_t uplo, int n, const Known<T>* alpha, const T* x, int incx,
                   T* AP) {
  return hpr(self, uplo, n, alpha, x, incx, AP);
}

template <class T>
mublasStatus_t her2(Settings& self, mublasFillMode_t uplo, int n, const Known<T>* alpha, const T* x, int incx,
                    const T* y, int incy, T* A, int lda) {
  return updateSymmetric<T>(self, uplo, n, leads(lda, n), alpha, incx, incy, [=](char u, auto a) {
    Blas<T>::her2(&u, &n, &a, asValues(x), &incx, asValues(y), &incy, asValues(A), &lda);
  });
}

// BLAS has none for complex matrices.
template <class T>
mublasStatus_t syr2(Settings& self, mublasFillMode_t uplo, int n, const Known<T>* alpha, const T* x, int incx,
                    const T* y, int incy, T* A, int lda) {
  if constexpr (!Numbers<T>::isComplex) {
    return her2(self, uplo, n, alpha, x, incx, y, incy, A, lda);
  } else {
    return updateSymmetric<T>(self, uplo, n, leads(lda, n), alpha, incx, incy, [=](char, auto a) {
      const ValueOf<T>*from = firstOf(asValues(x), n, incx), *by = firstOf(asValues(y), n, incy);
      for (ptrdiff_t column = 0; column < n; ++column) {
        ValueOf<T>* const to = asValues(A) + column * lda;
        const auto left = a * by[column * incy], right = a * from[column * incx];
        const bool lower = uplo == MUBLAS_FILL_MODE_LOWER;
        const ptrdiff_t last = lower ? n : column + 1;
        for (ptrdiff_t row = lower ? column : 0; row < last; ++row)
          to[row] += from[row * incx] * left + by[row * incy] * right;
      }
    });
  }
}

template <class T>
mublasStatus_t hpr2(Settings& self, mublasFillMode_t uplo, int n, const Known<T>* alpha, const T* x, int incx,
                    const T* y, int incy, T* AP) {
  return updateSymmetric<T>(self, uplo, n, true, alpha, incx, incy, [=](char u, auto a) {
    Blas<T>::hpr2(&u, &n, &a, asValues(x), &incx, asValues(y), &incy, asValues(AP));
  });
}
template <class T>
mublasStatus_t spr2(Settings& self, mublasFillMode_t uplo, int n, const Known<T>* alpha, const T* x, int incx,
                    const T* y, int incy, T* AP) {
  return hpr2(self, uplo, n, alpha, x, incx, y, incy, AP);
}

}  // namespace musashim::mublas
