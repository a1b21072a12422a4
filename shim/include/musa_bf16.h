/* bfloat16: __mt_bfloat16, __mt_bfloat162 and their functions, on host and device. The
 * functions are those of CUDA's bfloat16 API (CUDA Math API, "Bfloat16 Precision
 * Intrinsics"), the types' names the vendor's. */
#ifndef MUSASHIM_MUSA_BF16_H
#define MUSASHIM_MUSA_BF16_H

#ifndef __cplusplus
#error "musa_bf16.h needs C++"
#endif

#define __MUSA_BF16_TYPES_EXIST__

#include "crt/narrow_float.h"
#include "vector_types.h"
#if defined(__MUSACC__)
#include "crt/musa_device.h"
#endif

#define MUSASHIM_T __mt_bfloat16
#define MUSASHIM_T2 __mt_bfloat162
#define MUSASHIM_OTHER __half
#define MUSASHIM_RAW __mt_bfloat16_raw
#define MUSASHIM_RAW2 __mt_bfloat162_raw
#define MUSASHIM_BITS_TO_FLOAT(bits) __musa_bfloat16_to_float(bits)
#define MUSASHIM_FLOAT_TO_BITS(x) __musa_float_to_bfloat16(x)
#define MUSASHIM_DOUBLE_TO_BITS(x) __musa_float_to_bfloat16(__musa_to_odd_float(x))
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__) || defined(__MUSA_NO_BFLOAT16_OPERATORS__)
#define MUSASHIM_NO_OPERATORS
#endif
#include "crt/narrow_float_type.h"

typedef __mt_bfloat16 mt_bfloat16;
typedef __mt_bfloat162 mt_bfloat162;

/* -- Between bfloat16, float and double -- */
MUSASHIM_HD __mt_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return __mt_bfloat16(__mt_bfloat16_raw{bits});
}
MUSASHIM_HD __mt_bfloat16 __short_as_bfloat16(short bits) {
  return __ushort_as_bfloat16((unsigned short)bits);
}
MUSASHIM_HD unsigned short __bfloat16_as_ushort(__mt_bfloat16 x) { return x.__x; }
MUSASHIM_HD short __bfloat16_as_short(__mt_bfloat16 x) { return (short)x.__x; }

MUSASHIM_HD __mt_bfloat16 __musa_make_bfloat16(double x, __musa_rounding rounding) {
  return __ushort_as_bfloat16((unsigned short)(__musa_encode_float<8, 7>(x, rounding)));
}
MUSASHIM_HD __mt_bfloat16 __double2bfloat16(double x) { return __mt_bfloat16(x); }
MUSASHIM_HD __mt_bfloat16 __float2bfloat16(float x) { return __mt_bfloat16(x); }
MUSASHIM_HD __mt_bfloat16 __float2bfloat16_rn(float x) { return __mt_bfloat16(x); }
MUSASHIM_HD __mt_bfloat16 __float2bfloat16_rz(float x) {
  return __musa_make_bfloat16(x, __musa_rounding::zero);
}
MUSASHIM_HD __mt_bfloat16 __float2bfloat16_ru(float x) {
  return __musa_make_bfloat16(x, __musa_rounding::up);
}
MUSASHIM_HD __mt_bfloat16 __float2bfloat16_rd(float x) {
  return __musa_make_bfloat16(x, __musa_rounding::down);
}
MUSASHIM_HD float __bfloat162float(__mt_bfloat16 x) { return __musa_bfloat16_to_float(x.__x); }

MUSASHIM_NARROW_FLOAT_INTEGER(__mt_bfloat16, bfloat16, short, short);
MUSASHIM_NARROW_FLOAT_INTEGER(__mt_bfloat16, bfloat16, ushort, unsigned short);
MUSASHIM_NARROW_FLOAT_INTEGER(__mt_bfloat16, bfloat16, int, int);
MUSASHIM_NARROW_FLOAT_INTEGER(__mt_bfloat16, bfloat16, uint, unsigned int);
MUSASHIM_NARROW_FLOAT_INTEGER(__mt_bfloat16, bfloat16, ll, long long);
MUSASHIM_NARROW_FLOAT_INTEGER(__mt_bfloat16, bfloat16, ull, unsigned long long);
MUSASHIM_HD signed char __bfloat162char_rz(__mt_bfloat16 x) { return (signed char)x; }
MUSASHIM_HD unsigned char __bfloat162uchar_rz(__mt_bfloat16 x) { return (unsigned char)x; }

/* -- Pairs -- */
MUSASHIM_HD __mt_bfloat162 make_bfloat162(__mt_bfloat16 x, __mt_bfloat16 y) { return __mt_bfloat162(x, y); }
MUSASHIM_HD __mt_bfloat162 __halves2bfloat162(__mt_bfloat16 x, __mt_bfloat16 y) {
  return __mt_bfloat162(x, y);
}
MUSASHIM_HD __mt_bfloat162 __bfloat162bfloat162(__mt_bfloat16 x) { return __mt_bfloat162(x, x); }
MUSASHIM_HD __mt_bfloat162 __float2bfloat162_rn(float x) { return __bfloat162bfloat162(__mt_bfloat16(x)); }
MUSASHIM_HD __mt_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return __mt_bfloat162(__mt_bfloat16(x), __mt_bfloat16(y));
}
MUSASHIM_HD __mt_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
MUSASHIM_HD float2 __bfloat1622float2(__mt_bfloat162 v) {
  return float2{__bfloat162float(v.x), __bfloat162float(v.y)};
}
MUSASHIM_HD float __low2float(__mt_bfloat162 v) { return __bfloat162float(v.x); }
MUSASHIM_HD float __high2float(__mt_bfloat162 v) { return __bfloat162float(v.y); }
MUSASHIM_HD __mt_bfloat16 __low2bfloat16(__mt_bfloat162 v) { return v.x; }
MUSASHIM_HD __mt_bfloat16 __high2bfloat16(__mt_bfloat162 v) { return v.y; }
MUSASHIM_HD __mt_bfloat162 __low2bfloat162(__mt_bfloat162 v) { return __mt_bfloat162(v.x, v.x); }
MUSASHIM_HD __mt_bfloat162 __high2bfloat162(__mt_bfloat162 v) { return __mt_bfloat162(v.y, v.y); }
MUSASHIM_HD __mt_bfloat162 __lows2bfloat162(__mt_bfloat162 a, __mt_bfloat162 b) {
  return __mt_bfloat162(a.x, b.x);
}
MUSASHIM_HD __mt_bfloat162 __highs2bfloat162(__mt_bfloat162 a, __mt_bfloat162 b) {
  return __mt_bfloat162(a.y, b.y);
}
MUSASHIM_HD __mt_bfloat162 __lowhigh2highlow(__mt_bfloat162 v) { return __mt_bfloat162(v.y, v.x); }

#define MUSASHIM_WIDEN(x) __bfloat162float(x)
#define MUSASHIM_NARROW(x) __float2bfloat16_rn(x)
#define MUSASHIM_NARROW_DOUBLE(x) __double2bfloat16(x)
#define MUSASHIM_PRODUCT double
#define MUSASHIM_FROM_BITS(bits) __ushort_as_bfloat16((unsigned short)(bits))
#if defined(__CUDA_NO_BFLOAT162_OPERATORS__) || defined(__MUSA_NO_BFLOAT162_OPERATORS__)
#define MUSASHIM_NO_OPERATORS2
#endif
#include "crt/narrow_float_functions.h"

#define MUSART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define MUSART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define MUSART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define MUSART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define MUSART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define MUSART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define MUSART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#endif
