/* Names without underscores that CUDA's device functions had until version 12, and its warp operations of
 * before version 9, whose mask is that of the lanes that meet. Templates, so that functions of these names
 * that programs of today define themselves win. */
#ifndef MUSASHIM_CRT_OLD_NAMES_H
#define MUSASHIM_CRT_OLD_NAMES_H

#include "../device_types.h"
#include "conversions.h"
#include "float_intrinsics.h"
#include "integer_intrinsics.h"
#include "warp.h"

#define MUSASHIM_OLD_NAME \
  template <class = void> \
  MUSASHIM_D

MUSASHIM_OLD_NAME int mulhi(int a, int b) { return __mulhi(a, b); }
MUSASHIM_OLD_NAME unsigned int mulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
MUSASHIM_OLD_NAME unsigned int mulhi(int a, unsigned int b) { return __umulhi((unsigned int)a, b); }
MUSASHIM_OLD_NAME unsigned int mulhi(unsigned int a, int b) { return __umulhi(a, (unsigned int)b); }
MUSASHIM_OLD_NAME unsigned int umulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
MUSASHIM_OLD_NAME long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
MUSASHIM_OLD_NAME unsigned long long mul64hi(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}
MUSASHIM_OLD_NAME unsigned long long mul64hi(long long a, unsigned long long b) {
  return __umul64hi((unsigned long long)a, b);
}
MUSASHIM_OLD_NAME unsigned long long mul64hi(unsigned long long a, long long b) {
  return __umul64hi(a, (unsigned long long)b);
}
MUSASHIM_OLD_NAME unsigned long long umul64hi(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}
MUSASHIM_OLD_NAME int mul24(int a, int b) { return __mul24(a, b); }
MUSASHIM_OLD_NAME unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }

MUSASHIM_OLD_NAME int float_as_int(float x) { return __float_as_int(x); }
MUSASHIM_OLD_NAME float int_as_float(int x) { return __int_as_float(x); }
MUSASHIM_OLD_NAME unsigned int float_as_uint(float x) { return __float_as_uint(x); }
MUSASHIM_OLD_NAME float uint_as_float(unsigned int x) { return __uint_as_float(x); }
MUSASHIM_OLD_NAME float saturate(float x) { return __saturatef(x); }

MUSASHIM_OLD_NAME int __all(int predicate) { return __all_sync(__activemask(), predicate); }
MUSASHIM_OLD_NAME int __any(int predicate) { return __any_sync(__activemask(), predicate); }
MUSASHIM_OLD_NAME unsigned int __ballot(int predicate) { return __ballot_sync(__activemask(), predicate); }
template <class T>
MUSASHIM_D T __shfl(T value, int lane, int width = warpSize) {
  return __shfl_sync(__activemask(), value, lane, width);
}
template <class T>
MUSASHIM_D T __shfl_up(T value, unsigned int delta, int width = warpSize) {
  return __shfl_up_sync(__activemask(), value, delta, width);
}
template <class T>
MUSASHIM_D T __shfl_down(T value, unsigned int delta, int width = warpSize) {
  return __shfl_down_sync(__activemask(), value, delta, width);
}
template <class T>
MUSASHIM_D T __shfl_xor(T value, int lane_mask, int width = warpSize) {
  return __shfl_xor_sync(__activemask(), value, lane_mask, width);
}

/* Conversions whose rounding is an argument. */
#define MUSASHIM_OLD_CONVERSION(To, From, to, from, usual)                    \
  MUSASHIM_OLD_NAME To from##2##to(From x, enum musaRoundMode mode = usual) { \
    switch (mode) {                                                           \
      case musaRoundNearest:                                                  \
        return __##from##2##to##_rn(x);                                       \
      case musaRoundPosInf:                                                   \
        return __##from##2##to##_ru(x);                                       \
      case musaRoundMinInf:                                                   \
        return __##from##2##to##_rd(x);                                       \
      default:                                                                \
        return __##from##2##to##_rz(x);                                       \
    }                                                                         \
  }                                                                           \
  static_assert(true, "takes the semicolon")
MUSASHIM_OLD_CONVERSION(int, float, int, float, musaRoundZero);
MUSASHIM_OLD_CONVERSION(unsigned int, float, uint, float, musaRoundZero);
MUSASHIM_OLD_CONVERSION(float, int, float, int, musaRoundNearest);
MUSASHIM_OLD_CONVERSION(float, unsigned int, float, uint, musaRoundNearest);
#undef MUSASHIM_OLD_CONVERSION
#undef MUSASHIM_OLD_NAME

#endif
