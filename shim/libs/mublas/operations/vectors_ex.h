// More vectors whose types are arguments: sums of sizes, copies, extremes, rotations.
#pragma once

#include <cstring>

#include "libs/mublas/operations/level1_ex.h"
#include "libs/mublas/operations/rearrange.h"

namespace musashim::mublas {

inline mublasStatus_t asumEx(Settings& self, int n, const void* x, musaDataType xType, int incx, void* result,
                             musaDataType resultType, musaDataType executionType) {
  const musaDataType real = xType == MUSA_C_32F ? MUSA_R_32F : xType == MUSA_C_64F ? MUSA_R_64F : xType;
  MUBLAS_REQUIRE(resultType == real && (real == MUSA_R_32F || real == MUSA_R_64F) && executionType == xType,
                 MUBLAS_STATUS_NOT_SUPPORTED);
  return withVectorType(xType, xType, [&]<class Types>(Types) {
    using In = typename Types::Element;
    using Value = typename Types::Value;
    return enqueueResult(self, result, [=] {
      double sum = 0;
      if (n > 0 && incx > 0)
        for (const Value& value : gathered<Value>(static_cast<const In*>(x), n, incx)) sum += sizeOf(value);
      using Real = decltype(sizeOf(Value()));
      *static_cast<Real*>(result) = static_cast<Real>(sum);
    });
  });
}

// How many bytes an element has that is only moved; 0 for types that there are no vectors of.
inline size_t movedSize(musaDataType type) {
  switch (type) {
    case MUSA_R_16F:
    case MUSA_R_16BF:
      return 2;
    case MUSA_R_32F:
      return 4;
    case MUSA_R_64F:
    case MUSA_C_32F:
      return 8;
    case MUSA_C_64F:
      return 16;
    default:
      return 0;
  }
}

// visit(place in x, place in y) for each element, in bytes.
template <class Visit>
mublasStatus_t moveEach(Settings& self, int n, musaDataType xType, int incx, musaDataType yType, int incy,
                        Visit visit) {
  const auto size = static_cast<ptrdiff_t>(movedSize(xType));
  MUBLAS_REQUIRE(size != 0 && xType == yType, MUBLAS_STATUS_NOT_SUPPORTED);
  if (n <= 0) return MUBLAS_STATUS_SUCCESS;
  return enqueue(self, [=] {
    ptrdiff_t from = incx < 0 ? (1 - n) * static_cast<ptrdiff_t>(incx) : 0;
    ptrdiff_t to = incy < 0 ? (1 - n) * static_cast<ptrdiff_t>(incy) : 0;
    for (int i = 0; i < n; ++i, from += incx, to += incy)
      visit(from * size, to * size, static_cast<size_t>(size));
  });
}

inline mublasStatus_t copyEx(Settings& self, int n, const void* x, musaDataType xType, int incx, void* y,
                             musaDataType yType, int incy) {
  return moveEach(self, n, xType, incx, yType, incy, [=](ptrdiff_t from, ptrdiff_t to, size_t size) {
    std::memmove(static_cast<char*>(y) + to, static_cast<const char*>(x) + from, size);
  });
}

inline mublasStatus_t swapEx(Settings& self, int n, void* x, musaDataType xType, int incx, void* y,
                             musaDataType yType, int incy) {
  return moveEach(self, n, xType, incx, yType, incy, [=](ptrdiff_t from, ptrdiff_t to, size_t size) {
    char* const a = static_cast<char*>(x) + from;
    std::swap_ranges(a, a + size, static_cast<char*>(y) + to);
  });
}

// What a vector of this type is computed as, where no type of computation is given.
inline musaDataType usualExecution(musaDataType type) {
  return type == MUSA_R_16F || type == MUSA_R_16BF ? MUSA_R_32F : type;
}

template <class Place, class Better>
mublasStatus_t findExtremeEx(Settings& self, int n, const void* x, musaDataType xType, int incx,
                             Place* result, Better better) {
  return withVectorType(xType, usualExecution(xType), [&]<class Types>(Types) {
    using Value = typename Types::Value;
    return enqueueResult(self, result, [=] {
      *result = 0;
      if (n <= 0 || incx <= 0) return;
      const auto values = gathered<Value>(static_cast<const typename Types::Element*>(x), n, incx);
      size_t best = 0;
      for (size_t i = 1; i < values.size(); ++i)
        if (better(sizeOf(values[i]), sizeOf(values[best]))) best = i;
      *result = static_cast<Place>(best + 1);
    });
  });
}

template <class Place>
mublasStatus_t iamaxEx(Settings& self, int n, const void* x, musaDataType xType, int incx, Place* result) {
  return findExtremeEx(self, n, x, xType, incx, result, [](auto size, auto best) { return size > best; });
}
template <class Place>
mublasStatus_t iaminEx(Settings& self, int n, const void* x, musaDataType xType, int incx, Place* result) {
  return findExtremeEx(self, n, x, xType, incx, result, [](auto size, auto best) { return size < best; });
}

// c and s are of the vectors' type, or of the execution's.
inline mublasStatus_t rotEx(Settings& self, int n, void* x, musaDataType xType, int incx, void* y,
                            musaDataType yType, int incy, const void* c, const void* s, musaDataType csType,
                            musaDataType executionType) {
  MUBLAS_REQUIRE(c && s, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(xType == yType && (csType == xType || csType == executionType), MUBLAS_STATUS_NOT_SUPPORTED);
  return withVectorType(xType, executionType, [&]<class Types>(Types) {
    using Value = typename Types::Value;
    using Element = typename Types::Element;
    if (n <= 0) return MUBLAS_STATUS_SUCCESS;
    const VectorFactor<Types> cosine(self, c, csType == xType), sine(self, s, csType == xType);
    return enqueue(self, [=] {
      const Value cValue = cosine.get(), sValue = sine.get();
      const auto a = gathered<Value>(static_cast<const Element*>(x), n, incx);
      const auto b = gathered<Value>(static_cast<const Element*>(y), n, incy);
      storeEach<Types>(x, n, incx, [&](size_t i, auto old) { return cValue * old + sValue * b[i]; });
      storeEach<Types>(y, n, incy,
                       [&](size_t i, auto old) { return cValue * old - conjugate(sValue) * a[i]; });
    });
  });
}

// Of real numbers of one type alone.
template <class Visit>
mublasStatus_t withReal(musaDataType type, Visit visit) {
  if (type == MUSA_R_32F) return visit(float());
  if (type == MUSA_R_64F) return visit(double());
  return MUBLAS_STATUS_NOT_SUPPORTED;
}

inline mublasStatus_t rotgEx(Settings& self, void* a, void* b, musaDataType abType, void* c, void* s,
                             musaDataType csType, musaDataType executionType) {
  MUBLAS_REQUIRE(abType == csType && abType == executionType, MUBLAS_STATUS_NOT_SUPPORTED);
  return withReal(abType, [&]<class T>(T) {
    return rotg(self, static_cast<T*>(a), static_cast<T*>(b), static_cast<T*>(c), static_cast<T*>(s));
  });
}

inline mublasStatus_t rotmEx(Settings& self, int n, void* x, musaDataType xType, int incx, void* y,
                             musaDataType yType, int incy, const void* param, musaDataType paramType,
                             musaDataType executionType) {
  MUBLAS_REQUIRE(xType == yType && xType == paramType && xType == executionType, MUBLAS_STATUS_NOT_SUPPORTED);
  return withReal(xType, [&]<class T>(T) {
    return rotm(self, n, static_cast<T*>(x), incx, static_cast<T*>(y), incy, static_cast<const T*>(param));
  });
}

inline mublasStatus_t rotmgEx(Settings& self, void* d1, musaDataType d1Type, void* d2, musaDataType d2Type,
                              void* x1, musaDataType x1Type, const void* y1, musaDataType y1Type, void* param,
                              musaDataType paramType, musaDataType executionType) {
  for (const musaDataType type : {d2Type, x1Type, y1Type, paramType, executionType})
    MUBLAS_REQUIRE(type == d1Type, MUBLAS_STATUS_NOT_SUPPORTED);
  return withReal(d1Type, [&]<class T>(T) {
    return rotmg(self, static_cast<T*>(d1), static_cast<T*>(d2), static_cast<T*>(x1),
                 static_cast<const T*>(y1), static_cast<T*>(param));
  });
}

}  // namespace musashim::mublas
