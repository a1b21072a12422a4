/* Half precision: __half, __half2 and their functions, on host and device. Names and
 * results are those of CUDA's half-precision API (CUDA Math API, "Half Precision
 * Intrinsics"); arithmetic rounds to nearest even and keeps subnormal numbers. */
#ifndef MUSASHIM_MUSA_FP16_H
#define MUSASHIM_MUSA_FP16_H

#ifndef __cplusplus
#error "musa_fp16.h needs C++"
#endif

#define __MUSA_FP16_TYPES_EXIST__

#include "crt/narrow_float.h"
#include "vector_types.h"
#if defined(__MUSACC__)
#include "crt/musa_device.h"
#endif

#define MUSASHIM_T __half
#define MUSASHIM_T2 __half2
#define MUSASHIM_OTHER __mt_bfloat16
#define MUSASHIM_RAW __half_raw
#define MUSASHIM_RAW2 __half2_raw
#define MUSASHIM_BITS_TO_FLOAT(bits) __musa_half_to_float(bits)
#define MUSASHIM_FLOAT_TO_BITS(x) __musa_float_to_half(x)
#define MUSASHIM_DOUBLE_TO_BITS(x) __musa_float_to_half(__musa_to_odd_float(x))
#if defined(__CUDA_NO_HALF_OPERATORS__) || defined(__MUSA_NO_HALF_OPERATORS__)
#define MUSASHIM_NO_OPERATORS
#endif
#include "crt/narrow_float_type.h"

typedef __half half;
typedef __half2 half2;

/* -- Between half, float and double -- */
MUSASHIM_HD __half __ushort_as_half(unsigned short bits) { return __half(__half_raw{bits}); }
MUSASHIM_HD __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }
MUSASHIM_HD unsigned short __half_as_ushort(__half x) { return x.__x; }
MUSASHIM_HD short __half_as_short(__half x) { return (short)x.__x; }

MUSASHIM_HD __half __musa_make_half(double x, __musa_rounding rounding) {
  return __ushort_as_half((unsigned short)(__musa_encode_float<5, 10>(x, rounding)));
}
MUSASHIM_HD __half __double2half(double x) { return __half(x); }
MUSASHIM_HD __half __float2half(float x) { return __half(x); }
MUSASHIM_HD __half __float2half_rn(float x) { return __half(x); }
MUSASHIM_HD __half __float2half_rz(float x) { return __musa_make_half(x, __musa_rounding::zero); }
MUSASHIM_HD __half __float2half_ru(float x) { return __musa_make_half(x, __musa_rounding::up); }
MUSASHIM_HD __half __float2half_rd(float x) { return __musa_make_half(x, __musa_rounding::down); }
MUSASHIM_HD float __half2float(__half x) { return __musa_half_to_float(x.__x); }

MUSASHIM_NARROW_FLOAT_INTEGER(__half, half, short, short);
MUSASHIM_NARROW_FLOAT_INTEGER(__half, half, ushort, unsigned short);
MUSASHIM_NARROW_FLOAT_INTEGER(__half, half, int, int);
MUSASHIM_NARROW_FLOAT_INTEGER(__half, half, uint, unsigned int);
MUSASHIM_NARROW_FLOAT_INTEGER(__half, half, ll, long long);
MUSASHIM_NARROW_FLOAT_INTEGER(__half, half, ull, unsigned long long);
MUSASHIM_HD signed char __half2char_rz(__half x) { return (signed char)x; }
MUSASHIM_HD unsigned char __half2uchar_rz(__half x) { return (unsigned char)x; }

/* -- Pairs -- */
MUSASHIM_HD __half2 make_half2(__half x, __half y) { return __half2(x, y); }
MUSASHIM_HD __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
MUSASHIM_HD __half2 __half2half2(__half x) { return __half2(x, x); }
MUSASHIM_HD __half2 __float2half2_rn(float x) { return __half2half2(__half(x)); }
MUSASHIM_HD __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
MUSASHIM_HD __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
MUSASHIM_HD float2 __half22float2(__half2 v) { return float2{__half2float(v.x), __half2float(v.y)}; }
MUSASHIM_HD float __low2float(__half2 v) { return __half2float(v.x); }
MUSASHIM_HD float __high2float(__half2 v) { return __half2float(v.y); }
MUSASHIM_HD __half __low2half(__half2 v) { return v.x; }
MUSASHIM_HD __half __high2half(__half2 v) { return v.y; }
MUSASHIM_HD __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
MUSASHIM_HD __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
MUSASHIM_HD __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
MUSASHIM_HD __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
MUSASHIM_HD __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }

#define MUSASHIM_WIDEN(x) __half2float(x)
#define MUSASHIM_NARROW(x) __float2half_rn(x)
#define MUSASHIM_NARROW_DOUBLE(x) __double2half(x)
#define MUSASHIM_PRODUCT float
#define MUSASHIM_FROM_BITS(bits) __ushort_as_half((unsigned short)(bits))
#if defined(__CUDA_NO_HALF2_OPERATORS__) || defined(__MUSA_NO_HALF2_OPERATORS__)
#define MUSASHIM_NO_OPERATORS2
#endif
#include "crt/narrow_float_functions.h"

#define MUSART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define MUSART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define MUSART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define MUSART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define MUSART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define MUSART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define MUSART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#endif
