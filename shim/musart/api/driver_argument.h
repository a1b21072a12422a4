// An argument of a runtime entry as the driver's entry of the same meaning wants it.
//
// Handles are the same types in both APIs. Enumerations have the same numbers and structs the
// same layout under other names, so values and pointers pass unchanged.
#pragma once

#include <cstddef>
#include <bit>
#include <type_traits>

#include "musa.h"

namespace musashim::musart {

template <class T>
class DriverArgument {
 public:
  explicit DriverArgument(T value) : value_(value) {}

  template <class U>
  operator U() const {  // NOLINT: what it is for
    if constexpr (std::is_same_v<T, U> || std::is_arithmetic_v<T>) {
      return static_cast<U>(value_);
    } else if constexpr (std::is_enum_v<T>) {
      static_assert(std::is_enum_v<U> && sizeof(T) == sizeof(U));
      return static_cast<U>(value_);
    } else if constexpr (std::is_null_pointer_v<T>) {
      return nullptr;
    } else if constexpr (std::is_class_v<T>) {
      static_assert(std::is_class_v<U> && sizeof(T) == sizeof(U));
      return std::bit_cast<U>(value_);
    } else {
      static_assert(std::is_pointer_v<T> && sizeof(T) == sizeof(U));
      if constexpr (std::is_pointer_v<U>) static_assert(sameLayout<T, U>());
      return reinterpret_cast<U>(value_);
    }
  }

 private:
  // As far as the compiler can see it: complete types of one size.
  template <class A, class B>
  static constexpr bool sameLayout() {
    using From = std::remove_pointer_t<A>;
    using To = std::remove_pointer_t<B>;
    if constexpr (std::is_void_v<From> || std::is_void_v<To>) {
      return true;
    } else if constexpr (std::is_pointer_v<From> && std::is_pointer_v<To>) {
      return true;
    } else {
      return sizeof(From) == sizeof(To);
    }
  }

  T value_;
};

}  // namespace musashim::musart
