// Vectors whose types are arguments: all of one type, with sums in float at least.
#pragma once

#include "libs/mublas/operations/gemm.h"
#include "libs/mublas/operations/level1.h"

namespace musashim::mublas {

// Elements In are computed with as V.
template <class V, class In>
struct VectorType {
  using Value = V;
  using Element = In;
};

template <class Visit>
mublasStatus_t withVectorType(musaDataType type, musaDataType execution, Visit visit) {
  const bool inFloat = execution == MUSA_R_32F;
  if (type == MUSA_R_16F && inFloat) return visit(VectorType<float, Half>());
  if (type == MUSA_R_16BF && inFloat) return visit(VectorType<float, Bfloat16>());
  if (type == MUSA_R_32F && inFloat) return visit(VectorType<float, float>());
  if (type == MUSA_R_64F && execution == MUSA_R_64F) return visit(VectorType<double, double>());
  if (type == MUSA_C_32F && execution == MUSA_C_32F)
    return visit(VectorType<std::complex<float>, std::complex<float>>());
  if (type == MUSA_C_64F && execution == MUSA_C_64F)
    return visit(VectorType<std::complex<double>, std::complex<double>>());
  return MUBLAS_STATUS_NOT_SUPPORTED;
}

// The elements of a vector, as V, without gaps.
template <class V, class In>
std::vector<V> gathered(const In* x, int n, int increment) {
  std::vector<V> values(static_cast<size_t>(n));
  const In* at = firstOf(x, n, increment);
  for (V& value : values) {
    convert(at, &value, 1);
    at += increment;
  }
  return values;
}

// A factor of the execution's type (or of the elements', if `type` says so).
template <class Types>
class VectorFactor {
 public:
  using Value = typename Types::Value;

  VectorFactor(const Settings& settings, const void* pointer, bool isElement)
      : onDevice_(settings.pointerMode == MUBLAS_POINTER_MODE_DEVICE),
        isElement_(isElement),
        pointer_(pointer) {
    if (!onDevice_) value_ = load();
  }
  Value get() const { return onDevice_ ? load() : value_; }

 private:
  Value load() const {
    Value value;
    if (isElement_) {
      convert(static_cast<const typename Types::Element*>(pointer_), &value, 1);
    } else {
      value = *static_cast<const Value*>(pointer_);
    }
    return value;
  }

  const bool onDevice_, isElement_;
  const void* const pointer_;
  Value value_{};
};

inline mublasStatus_t nrm2Ex(Settings& self, int n, const void* x, musaDataType xType, int incx, void* result,
                             musaDataType resultType, musaDataType executionType) {
  const musaDataType real = xType == MUSA_C_32F ? MUSA_R_32F : xType == MUSA_C_64F ? MUSA_R_64F : xType;
  MUBLAS_REQUIRE(resultType == real, MUBLAS_STATUS_NOT_SUPPORTED);
  MUBLAS_REQUIRE(real == xType || executionType == real, MUBLAS_STATUS_NOT_SUPPORTED);
  const musaDataType execution = real == xType ? executionType : xType;
  return withVectorType(xType, execution, [&]<class Types>(Types) {
    using In = typename Types::Element;
    return enqueueResult(self, result, [=] {
      double sum = 0;
      for (const auto& value : n > 0 && incx > 0
                                   ? gathered<typename Types::Value>(static_cast<const In*>(x), n, incx)
                                   : std::vector<typename Types::Value>())
        sum += std::norm(value);
      const double norm = std::sqrt(sum);
      if constexpr (requires { typename In::value_type; }) {
        *static_cast<typename In::value_type*>(result) = static_cast<typename In::value_type>(norm);
      } else {
        const auto value = static_cast<typename Types::Value>(norm);
        convert(&value, static_cast<In*>(result), 1);
      }
    });
  });
}

template <bool kConjugate>
mublasStatus_t multiplyVectors(Settings& self, int n, const void* x, musaDataType xType, int incx,
                               const void* y, musaDataType yType, int incy, void* result,
                               musaDataType resultType, musaDataType executionType) {
  MUBLAS_REQUIRE(xType == yType && xType == resultType, MUBLAS_STATUS_NOT_SUPPORTED);
  return withVectorType(xType, executionType, [&]<class Types>(Types) {
    using In = typename Types::Element;
    return enqueueResult(self, result, [=] {
      typename Types::Value sum(0);
      const int count = std::max(n, 0);
      const auto a = gathered<typename Types::Value>(static_cast<const In*>(x), count, incx);
      const auto b = gathered<typename Types::Value>(static_cast<const In*>(y), count, incy);
      for (size_t i = 0; i < a.size(); ++i) {
        if constexpr (kConjugate && requires { a[i].real(); }) {
          sum += std::conj(a[i]) * b[i];
        } else {
          sum += a[i] * b[i];
        }
      }
      convert(&sum, static_cast<In*>(result), 1);
    });
  });
}

inline mublasStatus_t dotEx(Settings& self, int n, const void* x, musaDataType xType, int incx, const void* y,
                            musaDataType yType, int incy, void* result, musaDataType resultType,
                            musaDataType executionType) {
  return multiplyVectors<false>(self, n, x, xType, incx, y, yType, incy, result, resultType, executionType);
}
inline mublasStatus_t dotcEx(Settings& self, int n, const void* x, musaDataType xType, int incx,
                             const void* y, musaDataType yType, int incy, void* result,
                             musaDataType resultType, musaDataType executionType) {
  return multiplyVectors<true>(self, n, x, xType, incx, y, yType, incy, result, resultType, executionType);
}

// Stores each(i, old value) as the elements of a vector.
template <class Types, class Each>
void storeEach(void* vector, int n, int increment, Each each) {
  auto* at = firstOf(static_cast<typename Types::Element*>(vector), n, increment);
  for (int i = 0; i < n; ++i, at += increment) {
    typename Types::Value value;
    convert(at, &value, 1);
    value = each(static_cast<size_t>(i), value);
    convert(&value, at, 1);
  }
}

inline mublasStatus_t axpyEx(Settings& self, int n, const void* alpha, musaDataType alphaType, const void* x,
                             musaDataType xType, int incx, void* y, musaDataType yType, int incy,
                             musaDataType executionType) {
  MUBLAS_REQUIRE(alpha, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(xType == yType && (alphaType == executionType || alphaType == xType),
                 MUBLAS_STATUS_NOT_SUPPORTED);
  return withVectorType(xType, executionType, [&]<class Types>(Types) {
    if (n <= 0) return MUBLAS_STATUS_SUCCESS;
    const VectorFactor<Types> factor(self, alpha, alphaType == xType);
    return enqueue(self, [=] {
      const auto a = factor.get();
      const auto from =
          gathered<typename Types::Value>(static_cast<const typename Types::Element*>(x), n, incx);
      storeEach<Types>(y, n, incy, [&](size_t i, auto old) { return old + a * from[i]; });
    });
  });
}

inline mublasStatus_t scalEx(Settings& self, int n, const void* alpha, musaDataType alphaType, void* x,
                             musaDataType xType, int incx, musaDataType executionType) {
  MUBLAS_REQUIRE(alpha, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(alphaType == executionType || alphaType == xType, MUBLAS_STATUS_NOT_SUPPORTED);
  return withVectorType(xType, executionType, [&]<class Types>(Types) {
    if (n <= 0 || incx <= 0) return MUBLAS_STATUS_SUCCESS;
    const VectorFactor<Types> factor(self, alpha, alphaType == xType);
    return enqueue(self, [=] {
      const auto a = factor.get();
      storeEach<Types>(x, n, incx, [&](size_t, auto old) { return a * old; });
    });
  });
}

}  // namespace musashim::mublas
