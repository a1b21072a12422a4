// How each element type computes: one step of a reduction, rounded to the type.
// Included only by reduce_kernels.cpp, which is compiled once per instruction set: keep it
// free of library headers with inline code, or the linker may mix the instruction sets.
#pragma once

#include <cstdint>

namespace musashim::mccl {
namespace {

struct BFloat16 {
  uint16_t bits;
};

inline float toFloat(BFloat16 value) {
  return __builtin_bit_cast(float, static_cast<uint32_t>(value.bits) << 16);
}

// Round to nearest even, without branches, for the vectoriser.
inline BFloat16 toBFloat16(float value) {
  const auto bits = __builtin_bit_cast(uint32_t, value);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const uint32_t quietNan = (bits >> 16) | 0x40u;
  return {static_cast<uint16_t>(value != value ? quietNan : rounded)};
}

template <class T>
struct BitsOf {
  using Type = void;
};
template <>
struct BitsOf<float> {
  using Type = uint32_t;
};
template <>
struct BitsOf<double> {
  using Type = uint64_t;
};

template <class T>
constexpr bool isSigned() {
  return static_cast<T>(-1) < static_cast<T>(0);
}

template <class F>
inline F floatMax(F a, F b) {
  using Bits = typename BitsOf<F>::Type;
  const F zeros =
      __builtin_bit_cast(F, static_cast<Bits>(__builtin_bit_cast(Bits, a) & __builtin_bit_cast(Bits, b)));
  const F ordered = a > b ? a : (a == b ? zeros : b);  // b also where a is NaN
  return b != b ? a : ordered;
}

template <class F>
inline F floatMin(F a, F b) {
  using Bits = typename BitsOf<F>::Type;
  const F zeros =
      __builtin_bit_cast(F, static_cast<Bits>(__builtin_bit_cast(Bits, a) | __builtin_bit_cast(Bits, b)));
  const F ordered = a < b ? a : (a == b ? zeros : b);
  return b != b ? a : ordered;
}

// Integers, by way of an unsigned type wide enough that nothing promotes or overflows.
template <class T>
struct Arithmetic {
  using Wide = unsigned long long;
  static T add(T a, T b) { return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(b)); }
  static T multiply(T a, T b) { return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b)); }
  static T max(T a, T b) { return a > b ? a : b; }
  static T min(T a, T b) { return a < b ? a : b; }
};

template <class F>
struct FloatArithmetic {
  static F add(F a, F b) { return a + b; }
  static F multiply(F a, F b) { return a * b; }
  static F max(F a, F b) { return floatMax(a, b); }
  static F min(F a, F b) { return floatMin(a, b); }
};
template <>
struct Arithmetic<float> : FloatArithmetic<float> {};
template <>
struct Arithmetic<double> : FloatArithmetic<double> {};

// Of two elements of 16 bits, compared as integers: much of this is done at one go then.
template <class T, uint16_t kInfinity, uint16_t kQuiet>
struct OrderedBits {
  static T max(T a, T b) { return choose(a, b, place(a) >= place(b)); }
  static T min(T a, T b) { return choose(a, b, place(a) <= place(b)); }

 private:
  static uint16_t bits(T value) { return __builtin_bit_cast(uint16_t, value); }
  static bool isNan(T value) { return (bits(value) & 0x7fff) > kInfinity; }

  // Grows with the value; -0 is below +0.
  static int16_t place(T value) {
    const auto sign = static_cast<uint16_t>(static_cast<int16_t>(bits(value)) >> 15);
    return static_cast<int16_t>(bits(value) ^ (sign & 0x7fff));
  }

  // The first or the second, if that is no NaN.
  static T choose(T a, T b, bool isFirst) {
    const bool takesFirst = isNan(b) || (isFirst && !isNan(a));
    const uint16_t chosen = takesFirst ? bits(a) : bits(b);
    const uint16_t quiet = isNan(a) && isNan(b) ? kQuiet : 0;
    return __builtin_bit_cast(T, static_cast<uint16_t>(chosen | quiet));
  }
};

// float has more than twice the bits: rounding its result once more changes nothing.
template <>
struct Arithmetic<_Float16> : OrderedBits<_Float16, 0x7c00, 0x200> {
  using T = _Float16;
  static T add(T a, T b) { return static_cast<T>(static_cast<float>(a) + static_cast<float>(b)); }
  static T multiply(T a, T b) { return static_cast<T>(static_cast<float>(a) * static_cast<float>(b)); }
};

template <>
struct Arithmetic<BFloat16> : OrderedBits<BFloat16, 0x7f80, 0x40> {
  using T = BFloat16;
  static T add(T a, T b) { return toBFloat16(toFloat(a) + toFloat(b)); }
  static T multiply(T a, T b) { return toBFloat16(toFloat(a) * toFloat(b)); }
};

}  // namespace
}  // namespace musashim::mccl
