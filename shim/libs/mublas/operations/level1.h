// Level 1: vectors. Without elements nothing happens, and results are 0; where BLAS takes no negative
// increments, they count as no elements.
#pragma once

#include <cmath>

#include "libs/mublas/operations/work.h"

namespace musashim::mublas {

// |re| + |im|, by which BLAS compares complex numbers.
template <class V>
auto sizeOf(const V& x) {
  if constexpr (requires { x.real(); }) {
    return std::abs(x.real()) + std::abs(x.imag());
  } else {
    return std::abs(x);
  }
}

// The place of the first element that is better than all before it, from 1.
template <class T, class Place, class Better>
mublasStatus_t findExtreme(Settings& self, int n, const T* x, int incx, Place* result, Better better) {
  return enqueueResult(self, result, [=] {
    if (n <= 0 || incx <= 0) {
      *result = 0;
      return;
    }
    const ValueOf<T>* at = asValues(x);
    auto best = sizeOf(*at);
    int place = 1;
    for (int i = 2; i <= n; ++i) {
      at += incx;
      if (const auto size = sizeOf(*at); better(size, best)) {
        best = size;
        place = i;
      }
    }
    *result = place;
  });
}

template <class T, class Place>
mublasStatus_t amax(Settings& self, int n, const T* x, int incx, Place* result) {
  return findExtreme(self, n, x, incx, result, [](auto size, auto best) { return size > best; });
}

template <class T, class Place>
mublasStatus_t amin(Settings& self, int n, const T* x, int incx, Place* result) {
  return findExtreme(self, n, x, incx, result, [](auto size, auto best) { return size < best; });
}

// OpenBLAS 0.3.21 sums complex numbers wrongly on processors with AVX-512, so those are summed here.
template <class T>
mublasStatus_t asum(Settings& self, int n, const T* x, int incx, RealOf<T>* result) {
  return enqueueResult(self, result, [=] {
    if constexpr (Numbers<T>::isComplex) {
      double sum = 0;
      for (ptrdiff_t i = 0; incx > 0 && i < n; ++i) sum += sizeOf(asValues(x)[i * incx]);
      *result = static_cast<RealOf<T>>(sum);
    } else {
      *result = n > 0 && incx > 0 ? Blas<T>::asum(&n, asValues(x), &incx) : 0;
    }
  });
}

template <class T>
mublasStatus_t nrm2(Settings& self, int n, const T* x, int incx, RealOf<T>* result) {
  return enqueueResult(self, result,
                       [=] { *result = n > 0 && incx > 0 ? Blas<T>::nrm2(&n, asValues(x), &incx) : 0; });
}

template <class T>
mublasStatus_t axpy(Settings& self, int n, const Known<T>* alpha, const T* x, int incx, T* y, int incy) {
  MUBLAS_REQUIRE(alpha, MUBLAS_STATUS_INVALID_VALUE);
  if (n <= 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<T> factor(self, alpha);
  return enqueue(self, [=] {
    const auto value = factor.get();
    Blas<T>::axpy(&n, &value, asValues(x), &incx, asValues(y), &incy);
  });
}

template <class T>
mublasStatus_t copy(Settings& self, int n, const T* x, int incx, T* y, int incy) {
  if (n <= 0) return MUBLAS_STATUS_SUCCESS;
  return enqueue(self, [=] { Blas<T>::copy(&n, asValues(x), &incx, asValues(y), &incy); });
}

template <class T>
mublasStatus_t swap(Settings& self, int n, T* x, int incx, T* y, int incy) {
  if (n <= 0) return MUBLAS_STATUS_SUCCESS;
  return enqueue(self, [=] { Blas<T>::swap(&n, asValues(x), &incx, asValues(y), &incy); });
}

// Complex products return by value, which compilers do in several ways: so they are written out.
template <bool kConjugate, class T>
mublasStatus_t multiply(Settings& self, int n, const T* x, int incx, const T* y, int incy, T* result) {
  return enqueueResult(self, result, [=] {
    if constexpr (Numbers<T>::isComplex) {
      std::complex<double> sum = 0;
      const ValueOf<T>*a = firstOf(asValues(x), n, incx), *b = firstOf(asValues(y), n, incy);
      for (int i = 0; i < n; ++i, a += incx, b += incy) {
        const std::complex<double> left = kConjugate ? std::conj(*a) : *a, right = *b;
        sum += std::complex<double>(left.real() * right.real() - left.imag() * right.imag(),
                                    left.real() * right.imag() + left.imag() * right.real());
      }
      *asValues(result) = ValueOf<T>(sum);
    } else {
      *result = n > 0 ? Blas<T>::dot(&n, x, &incx, y, &incy) : 0;
    }
  });
}

template <class T>
mublasStatus_t dot(Settings& self, int n, const T* x, int incx, const T* y, int incy, T* result) {
  return multiply<false>(self, n, x, incx, y, incy, result);
}
template <class T>
mublasStatus_t dotu(Settings& self, int n, const T* x, int incx, const T* y, int incy, T* result) {
  return multiply<false>(self, n, x, incx, y, incy, result);
}
template <class T>
mublasStatus_t dotc(Settings& self, int n, const T* x, int incx, const T* y, int incy, T* result) {
  return multiply<true>(self, n, x, incx, y, incy, result);
}

// `alpha` is of the vector's type, or real.
template <class T, class A>
mublasStatus_t scal(Settings& self, int n, const A* alpha, T* x, int incx) {
  MUBLAS_REQUIRE(alpha, MUBLAS_STATUS_INVALID_VALUE);
  if (n <= 0 || incx <= 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<A> factor(self, alpha);
  return enqueue(self, [=] {
    const auto value = factor.get();
    if (value == decltype(value)(0)) {  // BLAS libraries write zeros, where a product keeps NaN and signs
      for (ptrdiff_t i = 0; i < n; ++i) asValues(x)[i * incx] *= value;
      return;
    }
    if constexpr (std::is_same_v<T, A>) {
      Blas<T>::scal(&n, &value, asValues(x), &incx);
    } else {
      Blas<T>::scalReal(&n, &value, asValues(x), &incx);
    }
  });
}

// `s` is of the vectors' type, or real.
template <class T, class S>
mublasStatus_t rot(Settings& self, int n, T* x, int incx, T* y, int incy, const RealOf<T>* c, const S* s) {
  MUBLAS_REQUIRE(c && s, MUBLAS_STATUS_INVALID_VALUE);
  if (n <= 0) return MUBLAS_STATUS_SUCCESS;
  const Scalar<RealOf<T>> cosine(self, c);
  const Scalar<S> sine(self, s);
  return enqueue(self, [=] {
    const auto cValue = cosine.get();
    const auto sValue = sine.get();
    if constexpr (std::is_same_v<T, S>) {
      Blas<T>::rot(&n, asValues(x), &incx, asValues(y), &incy, &cValue, &sValue);
    } else {
      Blas<T>::rotReal(&n, asValues(x), &incx, asValues(y), &incy, &cValue, &sValue);
    }
  });
}

template <class T>
mublasStatus_t rotg(Settings& self, T* a, T* b, RealOf<T>* c, T* s) {
  MUBLAS_REQUIRE(a && b && c, MUBLAS_STATUS_INVALID_VALUE);
  return enqueueResult(self, s, [=] { Blas<T>::rotg(asValues(a), asValues(b), c, asValues(s)); });
}

template <class T>
mublasStatus_t rotm(Settings& self, int n, T* x, int incx, T* y, int incy, const T* param) {
  MUBLAS_REQUIRE(param, MUBLAS_STATUS_INVALID_VALUE);
  if (n <= 0) return MUBLAS_STATUS_SUCCESS;
  struct Parameters {
    T values[5] = {};
  } parameters;
  const bool atOnce = self.pointerMode == MUBLAS_POINTER_MODE_HOST;
  if (atOnce) std::copy_n(param, 5, parameters.values);
  return enqueue(self, [=] { Blas<T>::rotm(&n, x, &incx, y, &incy, atOnce ? parameters.values : param); });
}

template <class T>
mublasStatus_t rotmg(Settings& self, T* d1, T* d2, T* x1, const T* y1, T* param) {
  MUBLAS_REQUIRE(d1 && d2 && x1 && y1, MUBLAS_STATUS_INVALID_VALUE);
  return enqueueResult(self, param, [=] { Blas<T>::rotmg(d1, d2, x1, y1, param); });
}

}  // namespace musashim::mublas
