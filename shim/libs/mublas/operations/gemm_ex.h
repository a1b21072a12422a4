// Products of matrices whose types are arguments.
#pragma once

#include "libs/mublas/operations/gemm.h"

namespace musashim::mublas {

// Products are computed as V of elements In, stored as Out; factors come as Scale.
template <class V, class In, class Out, class Scale>
struct Combination {
  using Value = V;
  using Element = In;
  using Result = Out;
  using Factor = Scale;
};

inline bool isFloat(mublasComputeType_t type) {
  switch (type) {
    case MUBLAS_COMPUTE_32F:
    case MUBLAS_COMPUTE_32F_PEDANTIC:
    case MUBLAS_COMPUTE_32F_FAST_16F:
    case MUBLAS_COMPUTE_32F_FAST_16BF:
    case MUBLAS_COMPUTE_32F_FAST_TF32:
      return true;
    default:
      return false;
  }
}

// visit(Combination) for what the four types mean; NOT_SUPPORTED where cuBLAS has no such combination.
// Integers are computed in double, where their sums are exact.
template <class Visit>
mublasStatus_t withCombination(musaDataType a, musaDataType b, musaDataType c, mublasComputeType_t compute,
                               Visit visit) {
  using ComplexFloat = std::complex<float>;
  using ComplexDouble = std::complex<double>;
  if (a != b) return MUBLAS_STATUS_NOT_SUPPORTED;
  const auto are = [=](musaDataType in, musaDataType out) { return a == in && c == out; };
  if (compute == MUBLAS_COMPUTE_16F || compute == MUBLAS_COMPUTE_16F_PEDANTIC) {
    if (are(MUSA_R_16F, MUSA_R_16F)) return visit(Combination<float, Half, Half, Half>());
  } else if (isFloat(compute)) {
    if (are(MUSA_R_32F, MUSA_R_32F)) return visit(Combination<float, float, float, float>());
    if (are(MUSA_R_16F, MUSA_R_16F)) return visit(Combination<float, Half, Half, float>());
    if (are(MUSA_R_16F, MUSA_R_32F)) return visit(Combination<float, Half, float, float>());
    if (are(MUSA_R_16BF, MUSA_R_16BF)) return visit(Combination<float, Bfloat16, Bfloat16, float>());
    if (are(MUSA_R_16BF, MUSA_R_32F)) return visit(Combination<float, Bfloat16, float, float>());
    if (are(MUSA_R_8I, MUSA_R_32F)) return visit(Combination<double, int8_t, float, float>());
    if (are(MUSA_C_32F, MUSA_C_32F))
      return visit(Combination<ComplexFloat, ComplexFloat, ComplexFloat, ComplexFloat>());
    if (are(MUSA_C_8I, MUSA_C_32F))
      return visit(Combination<ComplexDouble, std::complex<int8_t>, ComplexFloat, ComplexFloat>());
  } else if (compute == MUBLAS_COMPUTE_64F || compute == MUBLAS_COMPUTE_64F_PEDANTIC) {
    if (are(MUSA_R_64F, MUSA_R_64F)) return visit(Combination<double, double, double, double>());
    if (are(MUSA_C_64F, MUSA_C_64F))
      return visit(Combination<ComplexDouble, ComplexDouble, ComplexDouble, ComplexDouble>());
  } else if (compute == MUBLAS_COMPUTE_32I || compute == MUBLAS_COMPUTE_32I_PEDANTIC) {
    if (are(MUSA_R_8I, MUSA_R_32I)) return visit(Combination<double, int8_t, int32_t, int32_t>());
  }
  return MUBLAS_STATUS_NOT_SUPPORTED;
}

// A factor at an untyped pointer, as the product's type.
template <class C>
class UntypedFactor {
 public:
  UntypedFactor(const Settings& settings, const void* pointer)
      : onDevice_(settings.pointerMode == MUBLAS_POINTER_MODE_DEVICE), pointer_(pointer) {
    if (!onDevice_) value_ = load();
  }
  typename C::Value get() const { return onDevice_ ? load() : value_; }

 private:
  typename C::Value load() const {
    typename C::Value value;
    convert(static_cast<const typename C::Factor*>(pointer_), &value, 1);
    return value;
  }

  const bool onDevice_;
  const void* const pointer_;
  typename C::Value value_{};
};

// One product for each of a batch: A(i), B(i) and C(i) say where its matrices begin, of the elements' types.
template <class LocateA, class LocateB, class LocateC>
mublasStatus_t gemmOfTypes(Settings& self, const Shape& shape, const void* alpha, const void* beta,
                           musaDataType Atype, musaDataType Btype, musaDataType Ctype, int batchCount,
                           mublasComputeType_t computeType, LocateA A, LocateB B, LocateC C) {
  MUBLAS_REQUIRE(shape.isValid() && alpha && beta && batchCount >= 0, MUBLAS_STATUS_INVALID_VALUE);
  return withCombination(Atype, Btype, Ctype, computeType, [&]<class Types>(Types) {
    using In = typename Types::Element;
    using Out = typename Types::Result;
    if (shape.isEmpty() || batchCount == 0) return MUBLAS_STATUS_SUCCESS;
    const UntypedFactor<Types> a(self, alpha), b(self, beta);
    return enqueue(self, [=] {
      const auto aValue = a.get(), bValue = b.get();
      runBatch(shape, batchCount, [&](ptrdiff_t i) {
        multiplyMixed(shape, aValue, A.template at<In>(i), B.template at<In>(i), bValue,
                      C.template at<Out>(i));
      });
    });
  });
}

// Matrices at distances of so many elements.
template <class Pointer>
struct Strided {
  Pointer base;
  long long stride;

  template <class T>
  auto at(ptrdiff_t i) const {
    if constexpr (std::is_same_v<Pointer, const void*>) {
      return static_cast<const T*>(base) + i * stride;
    } else {
      return static_cast<T*>(base) + i * stride;
    }
  }
};

// Matrices whose addresses are in an array on the device.
template <class Pointer>
struct Listed {
  const Pointer* array;

  template <class T>
  auto at(ptrdiff_t i) const {
    return Strided<Pointer>{array[i], 0}.template at<T>(0);
  }
};

inline mublasStatus_t gemmStridedBatchedEx(Settings& self, mublasOperation_t transa, mublasOperation_t transb,
                                           int m, int n, int k, const void* alpha, const void* A,
                                           musaDataType Atype, int lda, long long strideA, const void* B,
                                           musaDataType Btype, int ldb, long long strideB, const void* beta,
                                           void* C, musaDataType Ctype, int ldc, long long strideC,
                                           int batchCount, mublasComputeType_t computeType,
                                           mublasGemmAlgo_t /*algo*/) {
  return gemmOfTypes(self, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta, Atype, Btype, Ctype,
                     batchCount, computeType, Strided<const void*>{A, strideA},
                     Strided<const void*>{B, strideB}, Strided<void*>{C, strideC});
}

inline mublasStatus_t gemmEx(Settings& self, mublasOperation_t transa, mublasOperation_t transb, int m, int n,
                             int k, const void* alpha, const void* A, musaDataType Atype, int lda,
                             const void* B, musaDataType Btype, int ldb, const void* beta, void* C,
                             musaDataType Ctype, int ldc, mublasComputeType_t computeType,
                             mublasGemmAlgo_t algo) {
  return gemmStridedBatchedEx(self, transa, transb, m, n, k, alpha, A, Atype, lda, 0, B, Btype, ldb, 0, beta,
                              C, Ctype, ldc, 0, 1, computeType, algo);
}

inline mublasStatus_t gemmBatchedEx(Settings& self, mublasOperation_t transa, mublasOperation_t transb, int m,
                                    int n, int k, const void* alpha, const void* const* Aarray,
                                    musaDataType Atype, int lda, const void* const* Barray,
                                    musaDataType Btype, int ldb, const void* beta, void* const* Carray,
                                    musaDataType Ctype, int ldc, int batchCount,
                                    mublasComputeType_t computeType, mublasGemmAlgo_t /*algo*/) {
  return gemmOfTypes(self, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta, Atype, Btype, Ctype,
                     batchCount, computeType, Listed<const void*>{Aarray}, Listed<const void*>{Barray},
                     Listed<void*>{Carray});
}

inline mublasStatus_t sgemmEx(Settings& self, mublasOperation_t transa, mublasOperation_t transb, int m,
                              int n, int k, const float* alpha, const void* A, musaDataType Atype, int lda,
                              const void* B, musaDataType Btype, int ldb, const float* beta, void* C,
                              musaDataType Ctype, int ldc) {
  MUBLAS_REQUIRE(Atype < MUSA_C_32F || Atype == MUSA_R_16BF, MUBLAS_STATUS_NOT_SUPPORTED);  // real ones
  return gemmEx(self, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc,
                MUBLAS_COMPUTE_32F, MUBLAS_GEMM_DEFAULT);
}

}  // namespace musashim::mublas
