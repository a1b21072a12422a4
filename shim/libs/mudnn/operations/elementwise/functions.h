// Functions of numbers that elementwise operations have in common.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace musashim::mudnn {

template <class V>
inline constexpr bool kIsReal = std::is_floating_point_v<V>;

// Of integers by zero: all bits set, as on GPUs.
template <class V>
V quotientTowardZero(V a, V b) {
  if constexpr (kIsReal<V>) {
    return std::trunc(a / b);
  } else {
    if (b == 0) return static_cast<V>(-1);
    if (std::is_signed_v<V> && b == static_cast<V>(-1)) return static_cast<V>(0 - static_cast<uint64_t>(a));
    return a / b;
  }
}

template <class V>
V remainderTowardZero(V a, V b) {
  if constexpr (kIsReal<V>) {
    return std::fmod(a, b);
  } else {
    if (b == 0) return static_cast<V>(-1);
    if (std::is_signed_v<V> && b == static_cast<V>(-1)) return 0;
    return a % b;
  }
}

template <class V>
V quotientDown(V a, V b) {
  if constexpr (kIsReal<V>) {
    if (b == 0) return a / b;
    const V rest = std::fmod(a, b);
    V quotient = (a - rest) / b;
    if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
    return quotient == 0 ? std::copysign(V(0), a / b) : std::floor(quotient + V(0.5));
  } else {
    const V quotient = quotientTowardZero(a, b);
    if (b == 0) return quotient;
    return remainderTowardZero(a, b) != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
  }
}

template <class V>
V remainderDown(V a, V b) {
  const V rest = remainderTowardZero(a, b);
  if constexpr (!kIsReal<V>)
    if (b == 0) return rest;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

template <class V>
V power(V a, V b) {
  if constexpr (kIsReal<V>) {
    return std::pow(a, b);
  } else {
    if (std::is_signed_v<V> && b < 0) {
      if (a == 1) return 1;
      if (a == static_cast<V>(-1)) return b & 1 ? static_cast<V>(-1) : 1;
      return 0;
    }
    uint64_t result = 1, base = static_cast<uint64_t>(a), rest = static_cast<uint64_t>(b);
    for (; rest; rest >>= 1, base *= base)
      if (rest & 1) result *= base;
    return static_cast<V>(result);
  }
}

template <class V>
V larger(V a, V b) {
  if constexpr (kIsReal<V>) {
    if (std::isnan(a)) return a;
    if (std::isnan(b)) return b;
  }
  return a > b ? a : b;
}

template <class V>
V smaller(V a, V b) {
  if constexpr (kIsReal<V>) {
    if (std::isnan(a)) return a;
    if (std::isnan(b)) return b;
  }
  return a < b ? a : b;
}

template <class V>
V sigmoid(V x) {
  return 1 / (1 + std::exp(-x));
}

// The normal distribution's function, and what GELU's approximation takes the hyperbolic tangent of.
template <class V>
V normalBelow(V x) {
  return std::erfc(x * V(-0.70710678118654752440)) / 2;
}
template <class V>
V geluInner(V x) {
  return V(0.79788456080286535588) * (x + V(0.044715) * x * x * x);
}

// ReLU; what is no number is 0 with `dropsNan`. Both may be the same memory.
template <class V>
void rectify(const V* from, V* to, int64_t count, bool dropsNan) {
  if (dropsNan) {
#pragma clang loop vectorize(assume_safety)
    for (int64_t i = 0; i < count; ++i) to[i] = from[i] > 0 ? from[i] : V(0);
  } else {
#pragma clang loop vectorize(assume_safety)
    for (int64_t i = 0; i < count; ++i) to[i] = from[i] <= 0 ? V(0) : from[i];
  }
}

}  // namespace musashim::mudnn
