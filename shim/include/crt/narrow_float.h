/* Conversions between float, double, integers and floating-point formats of 16 or 8
 * bits, in integer arithmetic: exact in every rounding direction on every compiler.
 *
 * A format is its exponent and mantissa widths; sign, subnormals, infinities and NaNs
 * are IEEE 754's. A NaN is always written as the format's positive NaN with all bits
 * set, as GPUs do.
 */
#ifndef MUSASHIM_CRT_NARROW_FLOAT_H
#define MUSASHIM_CRT_NARROW_FLOAT_H

#include "conversions.h"
#include "host_defines.h"
#include "rounding.h"
#include "standard_headers.h"

/* The magnitude for `significand` x 2^(exponent - 52), rounded, without regard to the
 * format's largest exponent: the caller deals with overflow. */
template <int ExponentBits, int MantissaBits>
MUSASHIM_HD unsigned int __musa_round_magnitude(uint64_t significand, int exponent, bool negative,
                                                __musa_rounding rounding) {
  const int bias = (1 << (ExponentBits - 1)) - 1;
  const int biased = exponent + bias;
  const bool subnormal = biased < 1;
  const int shift = 52 - MantissaBits + (subnormal ? 1 - biased : 0);
  const unsigned int base = subnormal ? 0u : unsigned(biased - 1) << MantissaBits;
  /* Below a quarter of the least subnormal number only "not zero" matters. */
  const uint64_t kept = shift > 60 ? 0 : significand >> shift;
  const uint64_t half = shift > 60 ? 2 : uint64_t(1) << (shift - 1);
  const uint64_t rest = shift > 60 ? uint64_t(significand != 0) : significand & (2 * half - 1);
  bool away = false;
  switch (rounding) {
    case __musa_rounding::nearest:
      away = rest > half || (rest == half && (kept & 1));
      break;
    case __musa_rounding::down:
      away = negative && rest != 0;
      break;
    case __musa_rounding::up:
      away = !negative && rest != 0;
      break;
    case __musa_rounding::zero:
      break;
  }
  return base + unsigned(kept) + unsigned(away);
}

/* The format's bits for x. */
template <int ExponentBits, int MantissaBits>
MUSASHIM_HD unsigned int __musa_encode_float(double x, __musa_rounding rounding) {
  const unsigned int infinity = ((1u << ExponentBits) - 1u) << MantissaBits;
  const uint64_t bits = uint64_t(__double_as_longlong(x));
  const bool negative = bits >> 63;
  const unsigned int sign = unsigned(negative) << (ExponentBits + MantissaBits);
  const int field = int(bits >> 52 & 0x7ff);
  const uint64_t fraction = bits & 0xfffffffffffffull;
  if (field == 0x7ff) return fraction != 0 ? (1u << (ExponentBits + MantissaBits)) - 1u : sign | infinity;

  const uint64_t significand = field == 0 ? fraction : fraction | uint64_t(1) << 52;
  const int exponent = (field == 0 ? 1 : field) - 1023;
  const unsigned int magnitude =
      __musa_round_magnitude<ExponentBits, MantissaBits>(significand, exponent, negative, rounding);
  if (magnitude < infinity) return sign | magnitude;
  const bool to_infinity = rounding == __musa_rounding::nearest ||
                           (rounding == __musa_rounding::up && !negative) ||
                           (rounding == __musa_rounding::down && negative);
  return sign | (to_infinity ? infinity : infinity - 1u);
}

/* -- Fast paths, all exact -- */
#if defined(__clang__) && defined(__F16C__)
/* The processor's conversions, which vectorise; only its NaNs are not a GPU's. */
MUSASHIM_HD float __musa_half_to_float(unsigned short bits) {
  const float x = float(__builtin_bit_cast(_Float16, bits));
  return x == x ? x : __uint_as_float(0x7fffffffu);
}
MUSASHIM_HD unsigned short __musa_float_to_half(float x) {
  const unsigned short bits = __builtin_bit_cast(unsigned short, _Float16(x));
  return x == x ? bits : (unsigned short)0x7fffu;
}
#else
MUSASHIM_HD float __musa_half_to_float(unsigned short bits) {
  const unsigned int sign = unsigned(bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
  if (magnitude > 0x7c00u) return __uint_as_float(0x7fffffffu);
  if (magnitude == 0x7c00u) return __uint_as_float(sign | 0x7f800000u);
  /* Seen as a float, the number is 2^112 times too small; subnormals included. */
  const float scaled = __uint_as_float(magnitude << 13) * 5192296858534827628530496329220096.0f;
  return __uint_as_float(__float_as_uint(scaled) | sign);
}
MUSASHIM_HD unsigned short __musa_float_to_half(float x) {
  const unsigned int bits = __float_as_uint(x), magnitude = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
  if (magnitude > 0x7f800000u) return 0x7fffu;
  if (magnitude >= 0x47800000u) return (unsigned short)(sign | 0x7c00u); /* 65536 and more */
  if (magnitude < 0x38800000u) {
    /* Subnormal: next to 1/2 a float's last place is 2^-24, the least half. */
    const float aligned = __uint_as_float(magnitude) + 0.5f;
    return (unsigned short)(sign | (__float_as_uint(aligned) - 0x3f000000u));
  }
  const unsigned int rebiased = magnitude - (112u << 23);
  return (unsigned short)(sign | (rebiased + 0xfffu + (rebiased >> 13 & 1u)) >> 13);
}
#endif
MUSASHIM_HD float __musa_bfloat16_to_float(unsigned short bits) {
  return __uint_as_float(unsigned(bits) << 16);
}
MUSASHIM_HD unsigned short __musa_float_to_bfloat16(float x) {
  const unsigned int bits = __float_as_uint(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fffu;
  return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/* -- Wide integers and fused operations: rounded to odd first, so that the second
 * rounding, to a format with at least two bits less, is right -- */
MUSASHIM_HD double __musa_to_odd_double(unsigned long long x) {
  if (x >> 53 == 0) return double(x);
  return double((x >> 12 | (unsigned long long)((x & 0xfffu) != 0)) << 12);
}
MUSASHIM_HD double __musa_to_odd_double(unsigned long x) {
  return __musa_to_odd_double((unsigned long long)x);
}
MUSASHIM_HD double __musa_to_odd_double(long long x) {
  return x < 0 ? -__musa_to_odd_double(0ull - (unsigned long long)x)
               : __musa_to_odd_double((unsigned long long)x);
}
MUSASHIM_HD double __musa_to_odd_double(long x) { return __musa_to_odd_double((long long)x); }
MUSASHIM_HD double __musa_to_odd_double(int x) { return x; }
MUSASHIM_HD double __musa_to_odd_double(unsigned int x) { return x; }
MUSASHIM_HD double __musa_to_odd_double(short x) { return x; }
MUSASHIM_HD double __musa_to_odd_double(unsigned short x) { return x; }

/* A double rounded to odd in float: inexact results have their last bit set. Free of
 * branches, so that loops over threads vectorise. */
MUSASHIM_HD float __musa_to_odd_float(double x) {
  const float nearest = float(x);
  const bool inexact = double(nearest) != x;
  const bool beyond = __builtin_fabs(double(nearest)) > __builtin_fabs(x);
  return __uint_as_float((__float_as_uint(nearest) - (beyond ? 1u : 0u)) | (inexact ? 1u : 0u));
}

MUSASHIM_HD unsigned int __musa_bits_of(float x) { return __float_as_uint(x); }
MUSASHIM_HD unsigned long long __musa_bits_of(double x) {
  return (unsigned long long)__double_as_longlong(x);
}
MUSASHIM_HD float __musa_from_bits_of(unsigned int bits, float) { return __uint_as_float(bits); }
MUSASHIM_HD double __musa_from_bits_of(unsigned long long bits, double) {
  return __longlong_as_double((long long)bits);
}

/* a * b + c, rounded to odd, where a * b is exact in T. Free of branches, as above. What is not finite has no
 * error, but NaN. */
template <typename T>
MUSASHIM_HD T __musa_fma_to_odd(T a, T b, T c) {
#if defined(__clang__)
#pragma clang fp contract(off) reassociate(off)
#endif
  const T product = a * b;
  const T sum = product + c;
  const T c_part = sum - product;
  const T error = (product - (sum - c_part)) + (c - c_part);
  auto bits = __musa_bits_of(sum);
  const bool inexact = error < T(0) || error > T(0);
  const bool beyond = (error > T(0)) != (sum > T(0)); /* further from 0 than the exact result */
  bits -= (decltype(bits))(inexact && beyond && (bits & 1) == 0 ? 1 : 0);
  bits |= (decltype(bits))(inexact ? 1 : 0);
  return __musa_from_bits_of(bits, sum);
}

/* Conversions between a 16-bit type T (whose functions call it `word`) and an integer
 * type I (called `name`). */
#define MUSASHIM_NARROW_FLOAT_INTEGER(T, word, name, I)                                                    \
  MUSASHIM_HD I __##word##2##name##_rn(T x) { return __musa_saturate_to<I>(rintf(__##word##2float(x))); }  \
  MUSASHIM_HD I __##word##2##name##_rz(T x) { return __musa_saturate_to<I>(truncf(__##word##2float(x))); } \
  MUSASHIM_HD I __##word##2##name##_ru(T x) { return __musa_saturate_to<I>(ceilf(__##word##2float(x))); }  \
  MUSASHIM_HD I __##word##2##name##_rd(T x) { return __musa_saturate_to<I>(floorf(__##word##2float(x))); } \
  MUSASHIM_HD T __##name##2##word##_rn(I x) {                                                              \
    return __musa_make_##word(__musa_to_odd_double(x), __musa_rounding::nearest);                          \
  }                                                                                                        \
  MUSASHIM_HD T __##name##2##word##_rz(I x) {                                                              \
    return __musa_make_##word(__musa_to_odd_double(x), __musa_rounding::zero);                             \
  }                                                                                                        \
  MUSASHIM_HD T __##name##2##word##_ru(I x) {                                                              \
    return __musa_make_##word(__musa_to_odd_double(x), __musa_rounding::up);                               \
  }                                                                                                        \
  MUSASHIM_HD T __##name##2##word##_rd(I x) {                                                              \
    return __musa_make_##word(__musa_to_odd_double(x), __musa_rounding::down);                             \
  }                                                                                                        \
  static_assert(true, "takes the semicolon")

#endif
