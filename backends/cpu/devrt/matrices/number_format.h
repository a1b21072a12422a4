// Floating-point formats of matrices.
#pragma once

#include <cstdint>

#include "abi/matrix_layout.h"

namespace musashim::devrt::matrices {

struct NumberFormat {
  int exponentBits, fractionBits;
  bool hasInfinity;  // else the greatest exponent is of numbers, too, and only all bits mean none

  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr uint32_t fractionOf(uint32_t bits) const { return bits & ((1u << fractionBits) - 1); }
  constexpr uint32_t exponentOf(uint32_t bits) const {
    return bits >> fractionBits & ((1u << exponentBits) - 1);
  }
  constexpr bool isNegative(uint32_t bits) const { return (bits >> (fractionBits + exponentBits) & 1) != 0; }
  // Infinite, or no number.
  constexpr bool isSpecial(uint32_t bits) const {
    const bool last = exponentOf(bits) == (1u << exponentBits) - 1;
    return last && (hasInfinity || fractionOf(bits) == (1u << fractionBits) - 1);
  }
  // The significand with its sign, as an integer.
  constexpr int32_t significand(uint32_t bits) const {
    const auto fraction = static_cast<int32_t>(fractionOf(bits));
    const int32_t magnitude = fraction | static_cast<int32_t>(exponentOf(bits) != 0) << fractionBits;
    const int32_t sign = -static_cast<int32_t>(isNegative(bits));
    return (magnitude ^ sign) - sign;
  }
  // The value is significand * 2 ^ (power - fractionBits).
  constexpr int32_t power(uint32_t bits) const {
    const auto field = static_cast<int32_t>(exponentOf(bits));
    return (field > 1 ? field : 1) - bias();
  }
  // Infinities and what is no number included.
  double value(uint32_t bits) const {
    if (!isSpecial(bits)) return __builtin_ldexp(significand(bits), power(bits) - fractionBits);
    if (!hasInfinity || fractionOf(bits) != 0) return __builtin_nan("");
    return isNegative(bits) ? -__builtin_inf() : __builtin_inf();
  }
};

constexpr NumberFormat kHalf{5, 10, true}, kBfloat{8, 7, true}, kTensorFloat{8, 10, true}, kE4m3{4, 3, false},
    kE5m2{5, 2, true}, kFloat{8, 23, true};

constexpr NumberFormat formatOf(uint32_t format) {
  switch (format) {
    case MUSA_MATRIX_F16:
      return kHalf;
    case MUSA_MATRIX_BF16:
      return kBfloat;
    case MUSA_MATRIX_TF32:
      return kTensorFloat;
    case MUSA_MATRIX_E4M3:
      return kE4m3;
    case MUSA_MATRIX_E5M2:
      return kE5m2;
    default:
      return kFloat;
  }
}

}  // namespace musashim::devrt::matrices
