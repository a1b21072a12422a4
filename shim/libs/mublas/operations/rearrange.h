// Sums of matrices, products with diagonal ones, packed triangles, and vectors in batches.
#pragma once

#include "libs/mublas/operations/gemm.h"

namespace musashim::mublas {

template <class V>
V conjugate(const V& x) {
  if constexpr (requires { x.real(); }) {
    return std::conj(x);
  } else {
    return x;
  }
}

// The element of op(matrix).
template <class V>
V elementOf(const V* matrix, int ld, mublasOperation_t op, ptrdiff_t row, ptrdiff_t column) {
  if (op == MUBLAS_OP_N) return matrix[column * ld + row];
  const V value = matrix[row * ld + column];
  return op == MUBLAS_OP_C ? conjugate(value) : value;
}

// C = alpha op(A) + beta op(B); a matrix with a factor of 0 is not read. C may be A or B if that is not
// transposed.
template <class T>
mublasStatus_t geam(Settings& self, mublasOperation_t transa, mublasOperation_t transb, int m, int n,
                    const Known<T>* alpha, const T* A, int lda, const Known<T>* beta, const T* B, int ldb,
                    T* C, int ldc) {
  MUBLAS_REQUIRE(isOperation(transa) && isOperation(transb) && m >= 0 && n >= 0, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(leads(lda, transa == MUBLAS_OP_N ? m : n) && leads(ldb, transb == MUBLAS_OP_N ? m : n),
                 MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(leads(ldc, m) && alpha && beta, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(C != A || (transa == MUBLAS_OP_N && lda == ldc), MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(C != B || (transb == MUBLAS_OP_N && ldb == ldc), MUBLAS_STATUS_INVALID_VALUE);
  if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<T> a(self, alpha), b(self, beta);
  return enqueue(self, [=] {
    using Value = ValueOf<T>;
    const Value aValue = a.get(), bValue = b.get();
    for (ptrdiff_t column = 0; column < n; ++column) {
      for (ptrdiff_t row = 0; row < m; ++row) {
        Value sum(0);
        if (aValue != Value(0)) sum += aValue * elementOf(asValues(A), lda, transa, row, column);
        if (bValue != Value(0)) sum += bValue * elementOf(asValues(B), ldb, transb, row, column);
        asValues(C)[column * ldc + row] = sum;
      }
    }
  });
}

// C = diag(x) A, or A diag(x).
template <class T>
mublasStatus_t dgmm(Settings& self, mublasSideMode_t mode, int m, int n, const T* A, int lda, const T* x,
                    int incx, T* C, int ldc) {
  MUBLAS_REQUIRE(isSide(mode) && m >= 0 && n >= 0 && leads(lda, m) && leads(ldc, m),
                 MUBLAS_STATUS_INVALID_VALUE);
  if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;
  const bool left = mode == MUBLAS_SIDE_LEFT;
  return enqueue(self, [=] {
    const ValueOf<T>* const factors = firstOf(asValues(x), left ? m : n, incx);
    for (ptrdiff_t column = 0; column < n; ++column) {
      for (ptrdiff_t row = 0; row < m; ++row)
        asValues(C)[column * ldc + row] =
            asValues(A)[column * lda + row] * factors[(left ? row : column) * incx];
    }
  });
}

// Calls element(place in the packed triangle, place in the matrix) for each element.
template <class Element>
void eachOfTriangle(mublasFillMode_t uplo, int n, int ld, Element element) {
  ptrdiff_t packed = 0;
  const bool lower = uplo == MUBLAS_FILL_MODE_LOWER;
  for (ptrdiff_t column = 0; column < n; ++column) {
    const ptrdiff_t last = lower ? n : column + 1;
    for (ptrdiff_t row = lower ? column : 0; row < last; ++row) element(packed++, column * ld + row);
  }
}

template <class T>
mublasStatus_t tpttr(Settings& self, mublasFillMode_t uplo, int n, const T* AP, T* A, int lda) {
  MUBLAS_REQUIRE(isFill(uplo) && n >= 0 && leads(lda, n), MUBLAS_STATUS_INVALID_VALUE);
  return enqueue(self, [=] {
    eachOfTriangle(uplo, n, lda, [&](ptrdiff_t packed, ptrdiff_t place) { A[place] = AP[packed]; });
  });
}

template <class T>
mublasStatus_t trttp(Settings& self, mublasFillMode_t uplo, int n, const T* A, int lda, T* AP) {
  MUBLAS_REQUIRE(isFill(uplo) && n >= 0 && leads(lda, n), MUBLAS_STATUS_INVALID_VALUE);
  return enqueue(self, [=] {
    eachOfTriangle(uplo, n, lda, [&](ptrdiff_t packed, ptrdiff_t place) { AP[packed] = A[place]; });
  });
}

// What the batches of matrix-vector products ask of their arguments, and how cuBLAS tells what is wrong.
inline mublasStatus_t checkGemvBatch(mublasOperation_t trans, int m, int lda, int incy, const void* alpha,
                                     const void* beta, int batchCount) {
  MUBLAS_REQUIRE(isOperation(trans) && leads(lda, m), MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(incy != 0 && alpha && beta, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(batchCount >= 0, MUBLAS_STATUS_EXECUTION_FAILED);
  return MUBLAS_STATUS_SUCCESS;
}

// One matrix-vector product for each of a batch: `A(i)` and its like give the members.
template <class T, class MatrixOf, class VectorOf, class ResultOf>
mublasStatus_t gemvBatch(Settings& self, mublasOperation_t trans, int m, int n, const T* alpha, int lda,
                         int incx, const T* beta, int incy, int batchCount, MatrixOf A, VectorOf x,
                         ResultOf y) {
  MUBLAS_TRY(checkGemvBatch(trans, m, lda, incy, alpha, beta, batchCount));
  if (m <= 0 || n <= 0 || batchCount == 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<T> a(self, alpha), b(self, beta);
  return enqueue(self, [=] {
    const char t = letter(trans);
    const auto aValue = a.get(), bValue = b.get();
    const int one = 1;
    for (ptrdiff_t i = 0; i < batchCount; ++i) {
      const auto* from = asValues(x(i));
      std::vector<ValueOf<T>> repeated;  // an element that is all of the vector, which BLAS refuses
      if (incx == 0) {
        repeated.assign(static_cast<size_t>(trans == MUBLAS_OP_N ? n : m), *from);
        from = repeated.data();
      }
      Blas<T>::gemv(&t, &m, &n, &aValue, asValues(A(i)), &lda, from, incx == 0 ? &one : &incx, &bValue,
                    asValues(y(i)), &incy);
    }
  });
}

template <class T>
mublasStatus_t gemvBatched(Settings& self, mublasOperation_t trans, int m, int n, const Known<T>* alpha,
                           const T* const* A, int lda, const T* const* x, int incx, const Known<T>* beta,
                           T* const* y, int incy, int batchCount) {
  return gemvBatch<T>(
      self, trans, m, n, alpha, lda, incx, beta, incy, batchCount, [=](ptrdiff_t i) { return A[i]; },
      [=](ptrdiff_t i) { return x[i]; }, [=](ptrdiff_t i) { return y[i]; });
}

template <class T>
mublasStatus_t gemvStridedBatched(Settings& self, mublasOperation_t trans, int m, int n,
                                  const Known<T>* alpha, const T* A, int lda, long long strideA, const T* x,
                                  int incx, long long stridex, const Known<T>* beta, T* y, int incy,
                                  long long stridey, int batchCount) {
  return gemvBatch<T>(
      self, trans, m, n, alpha, lda, incx, beta, incy, batchCount,
      [=](ptrdiff_t i) { return A + i * strideA; }, [=](ptrdiff_t i) { return x + i * stridex; },
      [=](ptrdiff_t i) { return y + i * stridey; });
}

}  // namespace musashim::mublas
