// Products of matrices, alone and in batches, of one type or by way of another.
#pragma once

#include <vector>

#include "libs/core/share.h"
#include "libs/mublas/operations/narrow.h"
#include "libs/mublas/operations/work.h"

namespace musashim::mublas {

// What a product's arguments have in common, whatever the types.
struct Shape {
  mublasOperation_t transa, transb;
  int m, n, k;
  int lda, ldb, ldc;

  int rowsOfA() const { return transa == MUBLAS_OP_N ? m : k; }
  int columnsOfA() const { return transa == MUBLAS_OP_N ? k : m; }
  int rowsOfB() const { return transb == MUBLAS_OP_N ? k : n; }
  int columnsOfB() const { return transb == MUBLAS_OP_N ? n : k; }
  bool isValid() const {
    return isOperation(transa) && isOperation(transb) && m >= 0 && n >= 0 && k >= 0 &&
           leads(lda, rowsOfA()) && leads(ldb, rowsOfB()) && leads(ldc, m);
  }
  bool isEmpty() const { return m == 0 || n == 0; }
  double operations() const { return 2.0 * m * n * std::max(k, 1); }
};

// Work of fewer operations is done before a helper would have woken.
inline constexpr double kWorthSharing = 8e6;

// C = alpha op(A) op(B) + beta C on the calling thread.
template <class V>
void multiplyAlone(const Shape& s, V alpha, const V* A, const V* B, V beta, V* C) {
  const char a = letter(s.transa), b = letter(s.transb);
  // OpenBLAS's kernels for small matrices multiply by 0, which keeps NaN.
  const int k = alpha == V(0) ? 0 : s.k;
  if constexpr (std::is_same_v<V, float>) {
    sgemm_(&a, &b, &s.m, &s.n, &k, &alpha, A, &s.lda, B, &s.ldb, &beta, C, &s.ldc);
  } else if constexpr (std::is_same_v<V, double>) {
    dgemm_(&a, &b, &s.m, &s.n, &k, &alpha, A, &s.lda, B, &s.ldb, &beta, C, &s.ldc);
  } else if constexpr (std::is_same_v<V, std::complex<float>>) {
    cgemm_(&a, &b, &s.m, &s.n, &k, &alpha, A, &s.lda, B, &s.ldb, &beta, C, &s.ldc);
  } else {
    zgemm_(&a, &b, &s.m, &s.n, &k, &alpha, A, &s.lda, B, &s.ldb, &beta, C, &s.ldc);
  }
}

// The same with helpers, each with its own columns (or rows) of C.
template <class V>
void multiply(const Shape& s, V alpha, const V* A, const V* B, V beta, V* C) {
  const bool byColumns = s.n >= s.m;
  const int length = byColumns ? s.n : s.m;
  constexpr int kLeast = 32;  // columns or rows of a part
  const int threads = s.operations() < kWorthSharing ? 1 : static_cast<int>(libs::sharingThreads());
  const int parts = std::clamp(length / kLeast, 1, threads);
  if (parts == 1) return multiplyAlone(s, alpha, A, B, beta, C);
  const int width = ((length + parts - 1) / parts + kLeast - 1) / kLeast * kLeast;
  libs::shareOut(static_cast<size_t>((length + width - 1) / width), [&](size_t index) {
    const int begin = static_cast<int>(index) * width;
    const ptrdiff_t at = begin;
    Shape part = s;
    if (byColumns) {
      part.n = std::min(width, s.n - begin);
      multiplyAlone(part, alpha, A, B + (s.transb == MUBLAS_OP_N ? at * s.ldb : at), beta, C + at * s.ldc);
    } else {
      part.m = std::min(width, s.m - begin);
      multiplyAlone(part, alpha, A + (s.transa == MUBLAS_OP_N ? at : at * s.lda), B, beta, C + at);
    }
  });
}

// A matrix as V, without gaps between its columns.
template <class V, class In>
std::vector<V> widened(const In* matrix, int rows, int columns, int ld) {
  std::vector<V> wide(static_cast<size_t>(rows) * static_cast<size_t>(columns));
  for (ptrdiff_t column = 0; column < columns; ++column)
    convert(matrix + column * ld, wide.data() + column * rows, rows);
  return wide;
}

// The same product for matrices of other types, which is computed as V and rounded once.
template <class V, class In, class Out>
void multiplyMixed(const Shape& s, V alpha, const In* A, const In* B, V beta, Out* C) {
  if constexpr (std::is_same_v<V, In> && std::is_same_v<V, Out>) {
    multiply(s, alpha, A, B, beta, C);
  } else {
    Shape inner = s;
    std::vector<V> a, b, c(static_cast<size_t>(s.m) * static_cast<size_t>(s.n));
    const V *wideA = nullptr, *wideB = nullptr;
    if constexpr (std::is_same_v<V, In>) {
      wideA = A;
      wideB = B;
    } else {
      a = widened<V>(A, s.rowsOfA(), s.columnsOfA(), s.lda);
      b = widened<V>(B, s.rowsOfB(), s.columnsOfB(), s.ldb);
      wideA = a.data();
      wideB = b.data();
      inner.lda = std::max(1, s.rowsOfA());
      inner.ldb = std::max(1, s.rowsOfB());
    }
    inner.ldc = s.m;
    if (beta != V(0)) c = widened<V>(C, s.m, s.n, s.ldc);
    multiply(inner, alpha, wideA, wideB, beta, c.data());
    for (ptrdiff_t column = 0; column < s.n; ++column)
      convert(c.data() + column * s.m, C + column * s.ldc, s.m);
  }
}

// Runs each product of a batch; small ones of a large batch are shared out.
template <class Run>
void runBatch(const Shape& s, int count, Run run) {
  const double operations = s.operations() * count;
  if (count == 1 || s.operations() >= kWorthSharing || operations < kWorthSharing ||
      libs::sharingThreads() == 1) {
    for (int i = 0; i < count; ++i) run(i);
    return;
  }
  const int parts = std::min(count, static_cast<int>(libs::sharingThreads()) * 4);
  libs::shareOut(static_cast<size_t>(parts), [&](size_t part) {
    const auto edge = [&](size_t index) {
      return static_cast<int>(static_cast<long long>(count) * static_cast<long long>(index) / parts);
    };
    for (int i = edge(part); i < edge(part + 1); ++i) run(i);
  });
}

// Of the elements' type T: what its products are computed as.
template <class T>
struct Product {
  using Value = ValueOf<T>;
  static const Value* values(const T* data) { return asValues(data); }
  static Value* values(T* data) { return asValues(data); }
};
template <>
struct Product<__half> {
  using Value = float;
  static const Half* values(const __half* data) { return reinterpret_cast<const Half*>(data); }
  static Half* values(__half* data) { return reinterpret_cast<Half*>(data); }
};

// A factor as what the product is computed as.
template <class T>
class Factor {
 public:
  Factor(const Settings& settings, const T* pointer)
      : onDevice_(settings.pointerMode == MUBLAS_POINTER_MODE_DEVICE), pointer_(pointer) {
    if (pointer && !onDevice_) value_ = load();
  }
  typename Product<T>::Value get() const { return onDevice_ ? load() : value_; }

 private:
  typename Product<T>::Value load() const {
    typename Product<T>::Value value;
    convert(Product<T>::values(pointer_), &value, 1);
    return value;
  }

  const bool onDevice_;
  const T* const pointer_;
  typename Product<T>::Value value_{};
};

template <class T>
mublasStatus_t gemm(Settings& self, mublasOperation_t transa, mublasOperation_t transb, int m, int n, int k,
                    const Known<T>* alpha, const T* A, int lda, const T* B, int ldb, const Known<T>* beta,
                    T* C, int ldc) {
  const Shape shape{transa, transb, m, n, k, lda, ldb, ldc};
  MUBLAS_REQUIRE(shape.isValid() && alpha && beta, MUBLAS_STATUS_INVALID_VALUE);
  if (shape.isEmpty()) return MUBLAS_STATUS_SUCCESS;
  const Factor<T> a(self, alpha), b(self, beta);
  return enqueue(self, [=] {
    multiplyMixed(shape, a.get(), Product<T>::values(A), Product<T>::values(B), b.get(),
                  Product<T>::values(C));
  });
}

// With three real products for a complex one: here it is the usual product, which is more exact.
template <class T>
mublasStatus_t gemm3m(Settings& self, mublasOperation_t transa, mublasOperation_t transb, int m, int n, int k,
                      const Known<T>* alpha, const T* A, int lda, const T* B, int ldb, const Known<T>* beta,
                      T* C, int ldc) {
  return gemm(self, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

template <class T>
mublasStatus_t gemmStridedBatched(Settings& self, mublasOperation_t transa, mublasOperation_t transb, int m,
                                  int n, int k, const Known<T>* alpha, const T* A, int lda, long long strideA,
                                  const T* B, int ldb, long long strideB, const Known<T>* beta, T* C, int ldc,
                                  long long strideC, int batchCount) {
  const Shape shape{transa, transb, m, n, k, lda, ldb, ldc};
  MUBLAS_REQUIRE(shape.isValid() && alpha && beta && batchCount >= 0, MUBLAS_STATUS_INVALID_VALUE);
  if (shape.isEmpty() || batchCount == 0) return MUBLAS_STATUS_SUCCESS;
  const Factor<T> a(self, alpha), b(self, beta);
  return enqueue(self, [=] {
    const auto aValue = a.get(), bValue = b.get();
    runBatch(shape, batchCount, [&](int i) {
      multiplyMixed(shape, aValue, Product<T>::values(A + i * strideA), Product<T>::values(B + i * strideB),
                    bValue, Product<T>::values(C + i * strideC));
    });
  });
}

template <class T>
mublasStatus_t gemmBatched(Settings& self, mublasOperation_t transa, mublasOperation_t transb, int m, int n,
                           int k, const Known<T>* alpha, const T* const* Aarray, int lda,
                           const T* const* Barray, int ldb, const Known<T>* beta, T* const* Carray, int ldc,
                           int batchCount) {
  const Shape shape{transa, transb, m, n, k, lda, ldb, ldc};
  MUBLAS_REQUIRE(shape.isValid() && alpha && beta && batchCount >= 0, MUBLAS_STATUS_INVALID_VALUE);
  if (shape.isEmpty() || batchCount == 0) return MUBLAS_STATUS_SUCCESS;
  const Factor<T> a(self, alpha), b(self, beta);
  return enqueue(self, [=] {
    const auto aValue = a.get(), bValue = b.get();
    runBatch(shape, batchCount, [&](int i) {
      multiplyMixed(shape, aValue, Product<T>::values(Aarray[i]), Product<T>::values(Barray[i]), bValue,
                    Product<T>::values(Carray[i]));
    });
  });
}

}  // namespace musashim::mublas
