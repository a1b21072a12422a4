/* Conversions between numbers in a given rounding direction, and reinterpretations of
 * bits (CUDA Math API, "Type Casting Intrinsics").
 *
 * To integers they saturate. A NaN becomes 0, but 1 << (bits - 1) where the source or
 * the destination has 64 bits (PTX ISA, "cvt").
 */
#ifndef MUSASHIM_CRT_CONVERSIONS_H
#define MUSASHIM_CRT_CONVERSIONS_H

#include "host_defines.h"
#include "standard_headers.h"

/* -- Bits -- */
MUSASHIM_HD float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
MUSASHIM_HD int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
MUSASHIM_HD float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
MUSASHIM_HD unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
MUSASHIM_HD double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
MUSASHIM_HD long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
MUSASHIM_D int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
MUSASHIM_D int __double2loint(double x) { return int(__double_as_longlong(x)); }
MUSASHIM_D double __hiloint2double(int hi, int lo) {
  return __longlong_as_double((long long)((unsigned long long)unsigned(hi) << 32 | unsigned(lo)));
}

/* -- Floating point to integer -- */
/* `x` is integral already. */
template <typename Integer, typename Float>
MUSASHIM_HD Integer __musa_saturate_to(Float x) {
  const bool is_signed = Integer(-1) < Integer(0);
  const int bits = 8 * int(sizeof(Integer));
  const Integer lowest = is_signed ? Integer(1ull << (bits - 1)) : Integer(0);
  const Integer highest = Integer(~lowest);
  /* 2^(bits - 1) or 2^bits: the first value too large. */
  const Float limit = is_signed ? Float(1ull << (bits - 1)) : Float(2) * Float(1ull << (bits - 1));
  if (x != x) return sizeof(Float) == 8 || sizeof(Integer) == 8 ? Integer(1ull << (bits - 1)) : Integer(0);
  if (x >= limit) return highest;
  if (x <= (is_signed ? -limit : Float(0))) return lowest;
  return Integer(x);
}

#define MUSASHIM_TO_INTEGER(from, F, suffix, to, I)                                                     \
  MUSASHIM_HD I __##from##2##to##_rn(F x) { return __musa_saturate_to<I>(__builtin_rint##suffix(x)); }  \
  MUSASHIM_HD I __##from##2##to##_rz(F x) { return __musa_saturate_to<I>(__builtin_trunc##suffix(x)); } \
  MUSASHIM_HD I __##from##2##to##_ru(F x) { return __musa_saturate_to<I>(__builtin_ceil##suffix(x)); }  \
  MUSASHIM_HD I __##from##2##to##_rd(F x) { return __musa_saturate_to<I>(__builtin_floor##suffix(x)); } \
  static_assert(true, "takes the semicolon")
MUSASHIM_TO_INTEGER(float, float, f, int, int);
MUSASHIM_TO_INTEGER(float, float, f, uint, unsigned int);
MUSASHIM_TO_INTEGER(float, float, f, ll, long long);
MUSASHIM_TO_INTEGER(float, float, f, ull, unsigned long long);
MUSASHIM_TO_INTEGER(double, double, , int, int);
MUSASHIM_TO_INTEGER(double, double, , uint, unsigned int);
MUSASHIM_TO_INTEGER(double, double, , ll, long long);
MUSASHIM_TO_INTEGER(double, double, , ull, unsigned long long);
#undef MUSASHIM_TO_INTEGER

/* -- To a narrower floating-point type -- */
MUSASHIM_HD float __musa_next_up(float x) { return nextafterf(x, __builtin_huge_valf()); }
MUSASHIM_HD float __musa_next_down(float x) { return nextafterf(x, -__builtin_huge_valf()); }
MUSASHIM_HD double __musa_next_up(double x) { return nextafter(x, __builtin_huge_val()); }
MUSASHIM_HD double __musa_next_down(double x) { return nextafter(x, -__builtin_huge_val()); }

/* `nearest` is `exact` rounded to nearest; `order` is the sign of nearest - exact. */
template <typename Float>
MUSASHIM_HD Float __musa_round_down(Float nearest, int order) {
  return order > 0 ? __musa_next_down(nearest) : nearest;
}
template <typename Float>
MUSASHIM_HD Float __musa_round_up(Float nearest, int order) {
  return order < 0 ? __musa_next_up(nearest) : nearest;
}
template <typename Float>
MUSASHIM_HD Float __musa_round_to_zero(Float nearest, int order) {
  return __builtin_signbit(nearest) ? __musa_round_up(nearest, order) : __musa_round_down(nearest, order);
}

MUSASHIM_HD int __musa_order(float nearest, double exact) {
  return double(nearest) > exact ? 1 : double(nearest) < exact ? -1 : 0;
}
MUSASHIM_HD float __double2float_rn(double x) { return float(x); }
MUSASHIM_HD float __double2float_rz(double x) {
  return __musa_round_to_zero(float(x), __musa_order(float(x), x));
}
MUSASHIM_HD float __double2float_ru(double x) { return __musa_round_up(float(x), __musa_order(float(x), x)); }
MUSASHIM_HD float __double2float_rd(double x) {
  return __musa_round_down(float(x), __musa_order(float(x), x));
}

/* -- Integer to floating point -- */
/* An integer rounded to nearest is at most 2^64 and integral: __int128 holds it. */
template <typename Float, typename Integer>
MUSASHIM_HD int __musa_order_integer(Float nearest, Integer exact) {
  const __int128 rounded = __int128(nearest);
  return rounded > __int128(exact) ? 1 : rounded < __int128(exact) ? -1 : 0;
}

#define MUSASHIM_FROM_INTEGER(from, I, to, F)                                                                \
  MUSASHIM_HD F __##from##2##to##_rn(I x) { return F(x); }                                                   \
  MUSASHIM_HD F __##from##2##to##_rz(I x) {                                                                  \
    return __musa_round_to_zero(F(x), __musa_order_integer(F(x), x));                                        \
  }                                                                                                          \
  MUSASHIM_HD F __##from##2##to##_ru(I x) { return __musa_round_up(F(x), __musa_order_integer(F(x), x)); }   \
  MUSASHIM_HD F __##from##2##to##_rd(I x) { return __musa_round_down(F(x), __musa_order_integer(F(x), x)); } \
  static_assert(true, "takes the semicolon")
MUSASHIM_FROM_INTEGER(int, int, float, float);
MUSASHIM_FROM_INTEGER(uint, unsigned int, float, float);
MUSASHIM_FROM_INTEGER(ll, long long, float, float);
MUSASHIM_FROM_INTEGER(ull, unsigned long long, float, float);
MUSASHIM_FROM_INTEGER(ll, long long, double, double);
MUSASHIM_FROM_INTEGER(ull, unsigned long long, double, double);
#undef MUSASHIM_FROM_INTEGER
MUSASHIM_HD double __int2double_rn(int x) { return x; }
MUSASHIM_HD double __uint2double_rn(unsigned int x) { return x; }

#endif
