// The API's types of elements, as numbers that compute.
#pragma once

#include <muComplex.h>

#include <complex>
#include <type_traits>

namespace musashim::libs {

template <class T>
struct Numbers {
  using Value = T;
  using Real = T;
  static constexpr bool isComplex = false;
};
template <>
struct Numbers<muComplex> {
  using Value = std::complex<float>;
  using Real = float;
  static constexpr bool isComplex = true;
};
template <>
struct Numbers<muDoubleComplex> {
  using Value = std::complex<double>;
  using Real = double;
  static constexpr bool isComplex = true;
};
template <class T>
using ValueOf = typename Numbers<std::remove_const_t<T>>::Value;
template <class T>
using RealOf = typename Numbers<std::remove_const_t<T>>::Real;

// The same memory.
template <class T>
auto* asValues(T* data) {
  if constexpr (std::is_const_v<T>)
    return reinterpret_cast<const ValueOf<T>*>(data);
  else
    return reinterpret_cast<ValueOf<T>*>(data);
}

}  // namespace musashim::libs
