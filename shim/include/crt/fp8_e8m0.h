/* E8M0: the 8-bit exponent of a scale factor, 2^(x - 127); 0xff is NaN. No sign, no zero
 * (Open Compute Project, "Microscaling Formats (MX) Specification"). Part of musa_fp8.h. */
#ifndef MUSASHIM_CRT_FP8_E8M0_H
#define MUSASHIM_CRT_FP8_E8M0_H

#include <assert.h>

#include "../device_types.h"

/* -- To E8M0: the power of two next to |x|, at least 2^-127 --
 * `rounding` is musaRoundZero or musaRoundPosInf, the two that CUDA has. */
MUSASHIM_HD __mt_fp8_storage_t __musa_cvt_double_to_e8m0(double x, __mt_saturation_t saturation,
                                                         musaRoundMode rounding) {
  assert(rounding == musaRoundZero || rounding == musaRoundPosInf);
  if (x != x) return 0xff;
  const uint64_t magnitude = uint64_t(__double_as_longlong(x)) & 0x7fffffffffffffffull;
  const bool between = (magnitude & 0xfffffffffffffull) != 0;
  const int exponent = int(magnitude >> 52) - 1023 + (between && rounding == musaRoundPosInf ? 1 : 0);
  if (exponent < -127) return 0;
  if (exponent > 127) return saturation == __MT_SATFINITE ? 0xfe : 0xff;
  return (__mt_fp8_storage_t)(exponent + 127);
}
MUSASHIM_HD __mt_fp8_storage_t __musa_cvt_float_to_e8m0(float x, __mt_saturation_t saturation,
                                                        musaRoundMode rounding) {
  return __musa_cvt_double_to_e8m0(x, saturation, rounding);
}
MUSASHIM_HD __mt_fp8_storage_t __musa_cvt_bfloat16raw_to_e8m0(__mt_bfloat16_raw x,
                                                              __mt_saturation_t saturation,
                                                              musaRoundMode rounding) {
  return __musa_cvt_double_to_e8m0(__musa_bfloat16_to_float(x.x), saturation, rounding);
}
MUSASHIM_HD __mt_fp8x2_storage_t __musa_cvt_double2_to_e8m0x2(double2 v, __mt_saturation_t saturation,
                                                              musaRoundMode rounding) {
  return (__mt_fp8x2_storage_t)(__musa_cvt_double_to_e8m0(v.x, saturation, rounding) |
                                unsigned(__musa_cvt_double_to_e8m0(v.y, saturation, rounding)) << 8);
}
MUSASHIM_HD __mt_fp8x2_storage_t __musa_cvt_float2_to_e8m0x2(float2 v, __mt_saturation_t saturation,
                                                             musaRoundMode rounding) {
  return __musa_cvt_double2_to_e8m0x2(double2{v.x, v.y}, saturation, rounding);
}
MUSASHIM_HD __mt_fp8x2_storage_t __musa_cvt_bfloat162raw_to_e8m0x2(__mt_bfloat162_raw v,
                                                                   __mt_saturation_t saturation,
                                                                   musaRoundMode rounding) {
  return __musa_cvt_float2_to_e8m0x2(__bfloat1622float2(v), saturation, rounding);
}

/* -- From E8M0: exact; the smallest is bfloat16's subnormal 2^-127 -- */
MUSASHIM_HD __mt_bfloat16_raw __musa_cvt_e8m0_to_bf16raw(__mt_fp8_storage_t x) {
  const unsigned int bits = x == 0xff ? 0x7fffu : x == 0 ? 0x0040u : unsigned(x) << 7;
  return __mt_bfloat16_raw{(unsigned short)bits};
}
MUSASHIM_HD __mt_bfloat162_raw __musa_cvt_e8m0x2_to_bf162raw(__mt_fp8x2_storage_t x) {
  return __mt_bfloat162_raw{__musa_cvt_e8m0_to_bf16raw((__mt_fp8_storage_t)(x & 0xffu)).x,
                            __musa_cvt_e8m0_to_bf16raw((__mt_fp8_storage_t)(x >> 8)).x};
}

/* -- Classes: conversions round up and saturate -- */
struct __mt_fp8_e8m0 {
  __mt_fp8_storage_t __x;

  __mt_fp8_e8m0() = default;
#define MUSASHIM_FROM(T)                      \
  explicit MUSASHIM_HD __mt_fp8_e8m0(T value) \
      : __x(__musa_cvt_double_to_e8m0(double(value), __MT_SATFINITE, musaRoundPosInf)) {}
  MUSASHIM_FROM(float)
  MUSASHIM_FROM(double)
  MUSASHIM_FROM(short)
  MUSASHIM_FROM(unsigned short)
  MUSASHIM_FROM(int)
  MUSASHIM_FROM(unsigned int)
#undef MUSASHIM_FROM
#define MUSASHIM_FROM(T)                      \
  explicit MUSASHIM_HD __mt_fp8_e8m0(T value) \
      : __x(__musa_cvt_double_to_e8m0(__musa_to_odd_double(value), __MT_SATFINITE, musaRoundPosInf)) {}
  MUSASHIM_FROM(long)
  MUSASHIM_FROM(unsigned long)
  MUSASHIM_FROM(long long)
  MUSASHIM_FROM(unsigned long long)
#undef MUSASHIM_FROM
  explicit MUSASHIM_HD __mt_fp8_e8m0(__half value) : __mt_fp8_e8m0(__half2float(value)) {}
  explicit MUSASHIM_HD __mt_fp8_e8m0(__mt_bfloat16 value) : __mt_fp8_e8m0(__bfloat162float(value)) {}

  explicit MUSASHIM_HD operator __mt_bfloat16() const {
    return __mt_bfloat16(__musa_cvt_e8m0_to_bf16raw(__x));
  }
  explicit MUSASHIM_HD operator float() const { return __bfloat162float(__mt_bfloat16(*this)); }
  explicit MUSASHIM_HD operator double() const { return double(float(*this)); }
  explicit MUSASHIM_HD operator __half() const { return __half(float(*this)); }
  /* No code is zero. */
  explicit MUSASHIM_HD operator bool() const { return true; }
#define MUSASHIM_TO(T) \
  explicit MUSASHIM_HD operator T() const { return __musa_saturate_to<T>(truncf(float(*this))); }
  MUSASHIM_TO(char)
  MUSASHIM_TO(signed char)
  MUSASHIM_TO(unsigned char)
  MUSASHIM_TO(short)
  MUSASHIM_TO(unsigned short)
  MUSASHIM_TO(int)
  MUSASHIM_TO(unsigned int)
  MUSASHIM_TO(long)
  MUSASHIM_TO(unsigned long)
  MUSASHIM_TO(long long)
  MUSASHIM_TO(unsigned long long)
#undef MUSASHIM_TO
};

struct __align__(2) __mt_fp8x2_e8m0 {
  __mt_fp8x2_storage_t __x;

  __mt_fp8x2_e8m0() = default;
  explicit MUSASHIM_HD __mt_fp8x2_e8m0(double2 v)
      : __x(__musa_cvt_double2_to_e8m0x2(v, __MT_SATFINITE, musaRoundPosInf)) {}
  explicit MUSASHIM_HD __mt_fp8x2_e8m0(float2 v)
      : __x(__musa_cvt_float2_to_e8m0x2(v, __MT_SATFINITE, musaRoundPosInf)) {}
  explicit MUSASHIM_HD __mt_fp8x2_e8m0(__half2 v) : __mt_fp8x2_e8m0(__half22float2(v)) {}
  explicit MUSASHIM_HD __mt_fp8x2_e8m0(__mt_bfloat162 v) : __mt_fp8x2_e8m0(__bfloat1622float2(v)) {}
  explicit MUSASHIM_HD operator __mt_bfloat162() const {
    return __mt_bfloat162(__musa_cvt_e8m0x2_to_bf162raw(__x));
  }
  explicit MUSASHIM_HD operator float2() const { return __bfloat1622float2(__mt_bfloat162(*this)); }
  explicit MUSASHIM_HD operator __half2() const { return __float22half2_rn(float2(*this)); }
};

struct __align__(4) __mt_fp8x4_e8m0 {
  __mt_fp8x4_storage_t __x;

  __mt_fp8x4_e8m0() = default;
  explicit MUSASHIM_HD __mt_fp8x4_e8m0(double4 v)
      : __x(__mt_fp8x2_e8m0(double2{v.x, v.y}).__x | unsigned(__mt_fp8x2_e8m0(double2{v.z, v.w}).__x) << 16) {
  }
  explicit MUSASHIM_HD __mt_fp8x4_e8m0(float4 v) : __mt_fp8x4_e8m0(double4{v.x, v.y, v.z, v.w}) {}
  explicit MUSASHIM_HD __mt_fp8x4_e8m0(__half2 low, __half2 high)
      : __x(__mt_fp8x2_e8m0(low).__x | unsigned(__mt_fp8x2_e8m0(high).__x) << 16) {}
  explicit MUSASHIM_HD __mt_fp8x4_e8m0(__mt_bfloat162 low, __mt_bfloat162 high)
      : __x(__mt_fp8x2_e8m0(low).__x | unsigned(__mt_fp8x2_e8m0(high).__x) << 16) {}
  explicit MUSASHIM_HD operator float4() const {
    const float2 low = __bfloat1622float2(__musa_cvt_e8m0x2_to_bf162raw((unsigned short)__x));
    const float2 high = __bfloat1622float2(__musa_cvt_e8m0x2_to_bf162raw((unsigned short)(__x >> 16)));
    return float4{low.x, low.y, high.x, high.y};
  }
};

typedef struct __mt_fp8_e8m0 __mt_fp8_e8m0;
typedef struct __mt_fp8x2_e8m0 __mt_fp8x2_e8m0;
typedef struct __mt_fp8x4_e8m0 __mt_fp8x4_e8m0;

#endif
