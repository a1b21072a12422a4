/* 8-bit floating point: E4M3 (no infinities, largest number 448) and E5M2 (IEEE 754's
 * rules), of Micikevicius et al., "FP8 formats for deep learning" (2022); storage
 * types with conversions, on host and device. Functions and classes are those of
 * CUDA's FP8 API, the names the vendor's. */
#ifndef MUSASHIM_MUSA_FP8_H
#define MUSASHIM_MUSA_FP8_H

#ifndef __cplusplus
#error "musa_fp8.h needs C++"
#endif

#define __MUSA_FP8_TYPES_EXIST__

#include "musa_bf16.h"
#include "musa_fp16.h"

typedef unsigned char __mt_fp8_storage_t;
typedef unsigned short __mt_fp8x2_storage_t;
typedef unsigned int __mt_fp8x4_storage_t;

/* What becomes of numbers beyond the largest: SATFINITE gives the largest, also for
 * infinities; NOSAT gives E5M2's infinity and E4M3's NaN. */
typedef enum __mt_saturation_t { __MT_NOSAT, __MT_SATFINITE } __mt_saturation_t;
typedef enum __mt_fp8_interpretation_t { __MT_E4M3, __MT_E5M2 } __mt_fp8_interpretation_t;

/* -- To FP8: to nearest even; a NaN gives 0x7f -- */
MUSASHIM_HD __mt_fp8_storage_t __musa_cvt_double_to_fp8(double x, __mt_saturation_t saturation,
                                                        __mt_fp8_interpretation_t format) {
  if (x != x) return 0x7f;
  const uint64_t bits = uint64_t(__double_as_longlong(x));
  const int exponent = int(bits >> 52 & 0x7ff) - 1023;
  const bool negative = bits >> 63;
  const unsigned int sign = negative ? 0x80u : 0u;
  const unsigned int largest = format == __MT_E4M3 ? 0x7eu : 0x7bu;
  unsigned int magnitude = largest + 1u; /* E4M3's NaN, E5M2's infinity */
  if (exponent < 20) {
    /* Subnormal doubles keep their implicit bit: far below either format's range. */
    const uint64_t significand =
        exponent == -1023 && (bits << 1) == 0 ? 0 : (bits & 0xfffffffffffffull) | 1ull << 52;
    magnitude = format == __MT_E4M3
                    ? __musa_round_magnitude<4, 3>(significand, exponent, negative, __musa_rounding::nearest)
                    : __musa_round_magnitude<5, 2>(significand, exponent, negative, __musa_rounding::nearest);
  }
  if (magnitude > largest) magnitude = saturation == __MT_SATFINITE ? largest : largest + 1u;
  return (__mt_fp8_storage_t)(sign | magnitude);
}
MUSASHIM_HD __mt_fp8_storage_t __musa_cvt_float_to_fp8(float x, __mt_saturation_t saturation,
                                                       __mt_fp8_interpretation_t format) {
  return __musa_cvt_double_to_fp8(x, saturation, format);
}
MUSASHIM_HD __mt_fp8_storage_t __musa_cvt_halfraw_to_fp8(__half_raw x, __mt_saturation_t saturation,
                                                         __mt_fp8_interpretation_t format) {
  return __musa_cvt_double_to_fp8(__half2float(x), saturation, format);
}
MUSASHIM_HD __mt_fp8_storage_t __musa_cvt_bfloat16raw_to_fp8(__mt_bfloat16_raw x,
                                                             __mt_saturation_t saturation,
                                                             __mt_fp8_interpretation_t format) {
  return __musa_cvt_double_to_fp8(__bfloat162float(x), saturation, format);
}

/* Pairs: the first element is in the low byte. */
MUSASHIM_HD __mt_fp8x2_storage_t __musa_cvt_double2_to_fp8x2(double2 v, __mt_saturation_t saturation,
                                                             __mt_fp8_interpretation_t format) {
  return (__mt_fp8x2_storage_t)(__musa_cvt_double_to_fp8(v.x, saturation, format) |
                                unsigned(__musa_cvt_double_to_fp8(v.y, saturation, format)) << 8);
}
MUSASHIM_HD __mt_fp8x2_storage_t __musa_cvt_float2_to_fp8x2(float2 v, __mt_saturation_t saturation,
                                                            __mt_fp8_interpretation_t format) {
  return __musa_cvt_double2_to_fp8x2(double2{v.x, v.y}, saturation, format);
}
MUSASHIM_HD __mt_fp8x2_storage_t __musa_cvt_halfraw2_to_fp8x2(__half2_raw v, __mt_saturation_t saturation,
                                                              __mt_fp8_interpretation_t format) {
  return __musa_cvt_float2_to_fp8x2(__half22float2(v), saturation, format);
}
MUSASHIM_HD __mt_fp8x2_storage_t __musa_cvt_bfloat16raw2_to_fp8x2(__mt_bfloat162_raw v,
                                                                  __mt_saturation_t saturation,
                                                                  __mt_fp8_interpretation_t format) {
  return __musa_cvt_float2_to_fp8x2(__bfloat1622float2(v), saturation, format);
}

/* -- From FP8: every number is a half; a NaN gives 0x7fff -- */
MUSASHIM_HD __half_raw __musa_cvt_fp8_to_halfraw(__mt_fp8_storage_t x, __mt_fp8_interpretation_t format) {
  const unsigned int sign = unsigned(x & 0x80u) << 8, magnitude = x & 0x7fu;
  if (format == __MT_E5M2) {
    if (magnitude > 0x7cu) return __half_raw{0x7fffu};
    return __half_raw{(unsigned short)(x << 8)};
  }
  if (magnitude == 0x7fu) return __half_raw{0x7fffu};
  /* Seen as a half, an E4M3 number is 2^8 times too small. */
  const __half scaled = __half(__musa_half_to_float((unsigned short)(magnitude << 7)) * 256.0f);
  return __half_raw{(unsigned short)(scaled.__x | sign)};
}
MUSASHIM_HD __half2_raw __musa_cvt_fp8x2_to_halfraw2(__mt_fp8x2_storage_t x,
                                                     __mt_fp8_interpretation_t format) {
  return __half2_raw{__musa_cvt_fp8_to_halfraw((__mt_fp8_storage_t)(x & 0xffu), format).x,
                     __musa_cvt_fp8_to_halfraw((__mt_fp8_storage_t)(x >> 8), format).x};
}

/* -- Classes: conversions saturate, as CUDA's do -- */
#define MUSASHIM_FP8_TYPES(suffix, format)                                                                   \
  struct __mt_fp8_##suffix {                                                                                 \
    __mt_fp8_storage_t __x;                                                                                  \
                                                                                                             \
    __mt_fp8_##suffix() = default;                                                                           \
    explicit MUSASHIM_HD __mt_fp8_##suffix(double x)                                                         \
        : __x(__musa_cvt_double_to_fp8(x, __MT_SATFINITE, format)) {}                                        \
    explicit MUSASHIM_HD __mt_fp8_##suffix(float x) : __mt_fp8_##suffix(double(x)) {}                        \
    explicit MUSASHIM_HD __mt_fp8_##suffix(__half x) : __mt_fp8_##suffix(double(__half2float(x))) {}         \
    explicit MUSASHIM_HD __mt_fp8_##suffix(__mt_bfloat16 x)                                                  \
        : __mt_fp8_##suffix(double(__bfloat162float(x))) {}                                                  \
    explicit MUSASHIM_HD __mt_fp8_##suffix(short x) : __mt_fp8_##suffix(double(x)) {}                        \
    explicit MUSASHIM_HD __mt_fp8_##suffix(unsigned short x) : __mt_fp8_##suffix(double(x)) {}               \
    explicit MUSASHIM_HD __mt_fp8_##suffix(int x) : __mt_fp8_##suffix(double(x)) {}                          \
    explicit MUSASHIM_HD __mt_fp8_##suffix(unsigned int x) : __mt_fp8_##suffix(double(x)) {}                 \
    explicit MUSASHIM_HD __mt_fp8_##suffix(long x) : __mt_fp8_##suffix(double(x)) {}                         \
    explicit MUSASHIM_HD __mt_fp8_##suffix(unsigned long x) : __mt_fp8_##suffix(double(x)) {}                \
    explicit MUSASHIM_HD __mt_fp8_##suffix(long long x) : __mt_fp8_##suffix(double(x)) {}                    \
    explicit MUSASHIM_HD __mt_fp8_##suffix(unsigned long long x) : __mt_fp8_##suffix(double(x)) {}           \
                                                                                                             \
    explicit MUSASHIM_HD operator __half() const { return __half(__musa_cvt_fp8_to_halfraw(__x, format)); }  \
    explicit MUSASHIM_HD operator float() const { return __half2float(__half(*this)); }                      \
    explicit MUSASHIM_HD operator double() const { return double(float(*this)); }                            \
    explicit MUSASHIM_HD operator __mt_bfloat16() const { return __mt_bfloat16(float(*this)); }              \
    explicit MUSASHIM_HD operator bool() const { return (__x & 0x7fu) != 0; }                                \
    explicit MUSASHIM_HD operator char() const { return integer<char>(); }                                   \
    explicit MUSASHIM_HD operator signed char() const { return integer<signed char>(); }                     \
    explicit MUSASHIM_HD operator unsigned char() const { return integer<unsigned char>(); }                 \
    explicit MUSASHIM_HD operator short() const { return integer<short>(); }                                 \
    explicit MUSASHIM_HD operator unsigned short() const { return integer<unsigned short>(); }               \
    explicit MUSASHIM_HD operator int() const { return integer<int>(); }                                     \
    explicit MUSASHIM_HD operator unsigned int() const { return integer<unsigned int>(); }                   \
    explicit MUSASHIM_HD operator long() const { return integer<long>(); }                                   \
    explicit MUSASHIM_HD operator unsigned long() const { return integer<unsigned long>(); }                 \
    explicit MUSASHIM_HD operator long long() const { return integer<long long>(); }                         \
    explicit MUSASHIM_HD operator unsigned long long() const { return integer<unsigned long long>(); }       \
                                                                                                             \
   private:                                                                                                  \
    template <typename Integer>                                                                              \
    MUSASHIM_HD Integer integer() const {                                                                    \
      return __musa_saturate_to<Integer>(truncf(float(*this)));                                              \
    }                                                                                                        \
  };                                                                                                         \
                                                                                                             \
  struct __align__(2) __mt_fp8x2_##suffix {                                                                  \
    __mt_fp8x2_storage_t __x;                                                                                \
                                                                                                             \
    __mt_fp8x2_##suffix() = default;                                                                         \
    explicit MUSASHIM_HD __mt_fp8x2_##suffix(double2 v)                                                      \
        : __x(__musa_cvt_double2_to_fp8x2(v, __MT_SATFINITE, format)) {}                                     \
    explicit MUSASHIM_HD __mt_fp8x2_##suffix(float2 v)                                                       \
        : __x(__musa_cvt_float2_to_fp8x2(v, __MT_SATFINITE, format)) {}                                      \
    explicit MUSASHIM_HD __mt_fp8x2_##suffix(__half2 v)                                                      \
        : __x(__musa_cvt_halfraw2_to_fp8x2(v, __MT_SATFINITE, format)) {}                                    \
    explicit MUSASHIM_HD __mt_fp8x2_##suffix(__mt_bfloat162 v)                                               \
        : __x(__musa_cvt_bfloat16raw2_to_fp8x2(v, __MT_SATFINITE, format)) {}                                \
    explicit MUSASHIM_HD operator __half2() const {                                                          \
      return __half2(__musa_cvt_fp8x2_to_halfraw2(__x, format));                                             \
    }                                                                                                        \
    explicit MUSASHIM_HD operator float2() const { return __half22float2(__half2(*this)); }                  \
  };                                                                                                         \
                                                                                                             \
  struct __align__(4) __mt_fp8x4_##suffix {                                                                  \
    __mt_fp8x4_storage_t __x;                                                                                \
                                                                                                             \
    __mt_fp8x4_##suffix() = default;                                                                         \
    explicit MUSASHIM_HD __mt_fp8x4_##suffix(double4 v)                                                      \
        : __x(__musa_cvt_double2_to_fp8x2(double2{v.x, v.y}, __MT_SATFINITE, format) |                       \
              unsigned(__musa_cvt_double2_to_fp8x2(double2{v.z, v.w}, __MT_SATFINITE, format)) << 16) {}     \
    explicit MUSASHIM_HD __mt_fp8x4_##suffix(float4 v) : __mt_fp8x4_##suffix(double4{v.x, v.y, v.z, v.w}) {} \
    explicit MUSASHIM_HD __mt_fp8x4_##suffix(__half2 low, __half2 high)                                      \
        : __x(__musa_cvt_halfraw2_to_fp8x2(low, __MT_SATFINITE, format) |                                    \
              unsigned(__musa_cvt_halfraw2_to_fp8x2(high, __MT_SATFINITE, format)) << 16) {}                 \
    explicit MUSASHIM_HD __mt_fp8x4_##suffix(__mt_bfloat162 low, __mt_bfloat162 high)                        \
        : __x(__musa_cvt_bfloat16raw2_to_fp8x2(low, __MT_SATFINITE, format) |                                \
              unsigned(__musa_cvt_bfloat16raw2_to_fp8x2(high, __MT_SATFINITE, format)) << 16) {}             \
    explicit MUSASHIM_HD operator float4() const {                                                           \
      const float2 low = __half22float2(__half2(__musa_cvt_fp8x2_to_halfraw2((unsigned short)__x, format))); \
      const float2 high =                                                                                    \
          __half22float2(__half2(__musa_cvt_fp8x2_to_halfraw2((unsigned short)(__x >> 16), format)));        \
      return float4{low.x, low.y, high.x, high.y};                                                           \
    }                                                                                                        \
  };                                                                                                         \
                                                                                                             \
  typedef struct __mt_fp8_##suffix __mt_fp8_##suffix

MUSASHIM_FP8_TYPES(e4m3, __MT_E4M3);
MUSASHIM_FP8_TYPES(e5m2, __MT_E5M2);
#undef MUSASHIM_FP8_TYPES

#include "crt/fp8_e8m0.h"

#endif
