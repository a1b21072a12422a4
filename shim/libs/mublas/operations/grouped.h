// Products in groups of shapes of their own, products and updates of complex matrices by types, and 16-bit
// matrices times vectors.
#pragma once

#include "libs/mublas/operations/gemm_ex.h"
#include "libs/mublas/operations/level3.h"
#include "libs/mublas/operations/rearrange.h"

namespace musashim::mublas {

// A group: so many products of one shape, whose matrices are listed from `first` on.
struct Group {
  Shape shape;
  int count;
  ptrdiff_t first;
};

// The groups as the host's arrays say them; Size is int or int64_t.
template <class Size>
mublasStatus_t groupsOf(const mublasOperation_t* transa, const mublasOperation_t* transb, const Size* m,
                        const Size* n, const Size* k, const Size* lda, const Size* ldb, const Size* ldc,
                        int count, const Size* sizes, std::vector<Group>& groups) {
  MUBLAS_REQUIRE(count >= 0, MUBLAS_STATUS_INVALID_VALUE);
  if (count == 0) return MUBLAS_STATUS_SUCCESS;
  MUBLAS_REQUIRE(transa && transb && m && n && k && lda && ldb && ldc && sizes, MUBLAS_STATUS_INVALID_VALUE);
  ptrdiff_t first = 0;
  for (int i = 0; i < count; ++i) {
    MUBLAS_REQUIRE(fitInt(m[i], n[i], k[i], lda[i], ldb[i], ldc[i], sizes[i]), MUBLAS_STATUS_NOT_SUPPORTED);
    const auto number = [](Size size) { return static_cast<int>(size); };
    const Shape shape{transa[i],    transb[i],      number(m[i]),   number(n[i]),
                      number(k[i]), number(lda[i]), number(ldb[i]), number(ldc[i])};
    MUBLAS_REQUIRE(shape.isValid() && sizes[i] >= 0, MUBLAS_STATUS_INVALID_VALUE);
    groups.push_back({shape, number(sizes[i]), first});
    first += sizes[i];
  }
  return MUBLAS_STATUS_SUCCESS;
}

template <class Size>
mublasStatus_t gemmGroupedBatchedEx(Settings& self, const mublasOperation_t* transa,
                                    const mublasOperation_t* transb, const Size* m, const Size* n,
                                    const Size* k, const void* alpha, const void* const* Aarray,
                                    musaDataType Atype, const Size* lda, const void* const* Barray,
                                    musaDataType Btype, const Size* ldb, const void* beta,
                                    void* const* Carray, musaDataType Ctype, const Size* ldc, int count,
                                    const Size* sizes, mublasComputeType_t computeType) {
  std::vector<Group> groups;
  MUBLAS_TRY(groupsOf(transa, transb, m, n, k, lda, ldb, ldc, count, sizes, groups));
  if (groups.empty()) return MUBLAS_STATUS_SUCCESS;
  MUBLAS_REQUIRE(alpha && beta && Aarray && Barray && Carray, MUBLAS_STATUS_INVALID_VALUE);
  return withCombination(Atype, Btype, Ctype, computeType, [&]<class Types>(Types) {
    using In = typename Types::Element;
    using Out = typename Types::Result;
    const size_t factorSize = sizeof(typename Types::Factor);
    for (size_t i = 0; i < groups.size(); ++i) {
      const Group group = groups[i];
      if (group.shape.isEmpty() || group.count == 0) continue;
      const UntypedFactor<Types> a(self, static_cast<const char*>(alpha) + i * factorSize),
          b(self, static_cast<const char*>(beta) + i * factorSize);
      MUBLAS_TRY(enqueue(self, [=] {
        const auto aValue = a.get(), bValue = b.get();
        runBatch(group.shape, group.count, [&](ptrdiff_t index) {
          const ptrdiff_t at = group.first + index;
          multiplyMixed(group.shape, aValue, static_cast<const In*>(Aarray[at]),
                        static_cast<const In*>(Barray[at]), bValue, static_cast<Out*>(Carray[at]));
        });
      }));
    }
    return MUBLAS_STATUS_SUCCESS;
  });
}

template <class T, class Size>
mublasStatus_t gemmGroupedBatched(Settings& self, const mublasOperation_t* transa,
                                  const mublasOperation_t* transb, const Size* m, const Size* n,
                                  const Size* k, const T* alpha, const T* const* Aarray, const Size* lda,
                                  const T* const* Barray, const Size* ldb, const T* beta, T* const* Carray,
                                  const Size* ldc, int count, const Size* sizes) {
  constexpr bool kIsFloat = std::is_same_v<T, float>;
  constexpr musaDataType kType = kIsFloat ? MUSA_R_32F : MUSA_R_64F;
  return gemmGroupedBatchedEx(
      self, transa, transb, m, n, k, alpha, reinterpret_cast<const void* const*>(Aarray), kType, lda,
      reinterpret_cast<const void* const*>(Barray), kType, ldb, beta, reinterpret_cast<void* const*>(Carray),
      kType, ldc, count, sizes, kIsFloat ? MUBLAS_COMPUTE_32F : MUBLAS_COMPUTE_64F);
}

inline mublasStatus_t cgemmEx(Settings& self, mublasOperation_t transa, mublasOperation_t transb, int m,
                              int n, int k, const muComplex* alpha, const void* A, musaDataType Atype,
                              int lda, const void* B, musaDataType Btype, int ldb, const muComplex* beta,
                              void* C, musaDataType Ctype, int ldc) {
  MUBLAS_REQUIRE(Atype == MUSA_C_32F || Atype == MUSA_C_8I, MUBLAS_STATUS_NOT_SUPPORTED);
  return gemmEx(self, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc,
                MUBLAS_COMPUTE_32F, MUBLAS_GEMM_DEFAULT);
}

// A matrix of complex 8-bit integers, as `rows` x `columns` floats without gaps.
inline std::vector<std::complex<float>> widenedComplex(const void* matrix, int rows, int columns, int ld) {
  std::vector<std::complex<float>> wide;
  const auto* const from = static_cast<const std::complex<int8_t>*>(matrix);
  for (ptrdiff_t column = 0; column < columns; ++column)
    for (ptrdiff_t row = 0; row < rows; ++row) {
      const std::complex<int8_t> value = from[column * ld + row];
      wide.emplace_back(static_cast<float>(value.real()), static_cast<float>(value.imag()));
    }
  return wide;
}

// C is complex float; A is, too, or of complex 8-bit integers.
template <bool kHermitian, class Factor>
mublasStatus_t updateEx(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, int n, int k,
                        const Factor* alpha, const void* A, musaDataType Atype, int lda, const Factor* beta,
                        void* C, musaDataType Ctype, int ldc) {
  MUBLAS_REQUIRE(Ctype == MUSA_C_32F && (Atype == MUSA_C_32F || Atype == MUSA_C_8I),
                 MUBLAS_STATUS_NOT_SUPPORTED);
  MUBLAS_REQUIRE(takes<muComplex>(trans, kHermitian ? MUBLAS_OP_C : MUBLAS_OP_T), kBadOption);
  const bool valid = isUpdate(uplo, trans, n, k, lda, lda, ldc);
  return update<muComplex>(self, uplo, trans, valid, n, alpha, beta, [=](char u, char t, auto a, auto b) {
    const int rows = trans == MUBLAS_OP_N ? n : k, columns = trans == MUBLAS_OP_N ? k : n;
    std::vector<std::complex<float>> wide;
    const auto* from = static_cast<const std::complex<float>*>(A);
    int ld = lda;
    if (Atype == MUSA_C_8I) {
      wide = widenedComplex(A, rows, columns, lda);
      from = wide.data();
      ld = std::max(1, rows);
    }
    auto* const to = static_cast<std::complex<float>*>(C);
    if constexpr (kHermitian) {
      Blas<muComplex>::herk(&u, &t, &n, &k, &a, from, &ld, &b, to, &ldc);
    } else {
      Blas<muComplex>::syrk(&u, &t, &n, &k, &a, from, &ld, &b, to, &ldc);
    }
  });
}

inline mublasStatus_t csyrkEx(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, int n, int k,
                              const muComplex* alpha, const void* A, musaDataType Atype, int lda,
                              const muComplex* beta, void* C, musaDataType Ctype, int ldc) {
  return updateEx<false>(self, uplo, trans, n, k, alpha, A, Atype, lda, beta, C, Ctype, ldc);
}
inline mublasStatus_t cherkEx(Settings& self, mublasFillMode_t uplo, mublasOperation_t trans, int n, int k,
                              const float* alpha, const void* A, musaDataType Atype, int lda,
                              const float* beta, void* C, musaDataType Ctype, int ldc) {
  return updateEx<true>(self, uplo, trans, n, k, alpha, A, Atype, lda, beta, C, Ctype, ldc);
}

inline const Half* bitsOf(const __half* data) { return reinterpret_cast<const Half*>(data); }
inline Half* bitsOf(__half* data) { return reinterpret_cast<Half*>(data); }
inline const Bfloat16* bitsOf(const __mt_bfloat16* data) { return reinterpret_cast<const Bfloat16*>(data); }
inline Bfloat16* bitsOf(__mt_bfloat16* data) { return reinterpret_cast<Bfloat16*>(data); }
inline float* bitsOf(float* data) { return data; }

// y = alpha op(A) x + beta y for each of a batch, in float.
template <class MatrixOf, class VectorOf, class ResultOf>
mublasStatus_t narrowGemvBatch(Settings& self, mublasOperation_t trans, int m, int n, const float* alpha,
                               int lda, int incx, const float* beta, int incy, int batchCount, MatrixOf A,
                               VectorOf x, ResultOf y) {
  MUBLAS_TRY(checkGemvBatch(trans, m, lda, incy, alpha, beta, batchCount));
  if (m <= 0 || n <= 0 || batchCount == 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<float> a(self, alpha), b(self, beta);
  return enqueue(self, [=] {
    const int length = trans == MUBLAS_OP_N ? n : m, rows = trans == MUBLAS_OP_N ? m : n;
    const auto aValue = a.get(), bValue = b.get();
    const Shape shape{trans, MUBLAS_OP_N, rows, 1, length, m, length, rows};
    for (ptrdiff_t i = 0; i < batchCount; ++i) {
      std::vector<float> in(static_cast<size_t>(length)), out(static_cast<size_t>(rows));
      const auto* from = firstOf(bitsOf(x(i)), length, incx);
      for (float& value : in) {
        convert(from, &value, 1);
        from += incx;
      }
      auto* const first = firstOf(bitsOf(y(i)), rows, incy);
      for (size_t row = 0; bValue != 0 && row < out.size(); ++row)
        convert(first + static_cast<ptrdiff_t>(row) * incy, &out[row], 1);
      const auto matrix = widened<float>(bitsOf(A(i)), m, n, lda);
      multiplyAlone(shape, aValue, matrix.data(), in.data(), bValue, out.data());
      for (size_t row = 0; row < out.size(); ++row)
        convert(&out[row], first + static_cast<ptrdiff_t>(row) * incy, 1);
    }
  });
}

template <class In, class Out>
mublasStatus_t narrowGemvBatched(Settings& self, mublasOperation_t trans, int m, int n, const float* alpha,
                                 const In* const* A, int lda, const In* const* x, int incx, const float* beta,
                                 Out* const* y, int incy, int batchCount) {
  return narrowGemvBatch(
      self, trans, m, n, alpha, lda, incx, beta, incy, batchCount, [=](ptrdiff_t i) { return A[i]; },
      [=](ptrdiff_t i) { return x[i]; }, [=](ptrdiff_t i) { return y[i]; });
}

template <class In, class Out>
mublasStatus_t narrowGemvStridedBatched(Settings& self, mublasOperation_t trans, int m, int n,
                                        const float* alpha, const In* A, int lda, long long strideA,
                                        const In* x, int incx, long long stridex, const float* beta, Out* y,
                                        int incy, long long stridey, int batchCount) {
  return narrowGemvBatch(
      self, trans, m, n, alpha, lda, incx, beta, incy, batchCount,
      [=](ptrdiff_t i) { return A + i * strideA; }, [=](ptrdiff_t i) { return x + i * stridex; },
      [=](ptrdiff_t i) { return y + i * stridey; });
}

}  // namespace musashim::mublas
