/* Arithmetic in a given rounding direction: __fadd_rz, __dmul_ru and their like.
 *
 * The processor's own rounding mode does it, which is exact in every case (overflow
 * and subnormal results too). The operands pass through empty assembler statements,
 * so that the operation cannot move out from between the two mode changes.
 */
#ifndef MUSASHIM_CRT_FLOAT_ROUNDING_H
#define MUSASHIM_CRT_FLOAT_ROUNDING_H

#include "host_defines.h"
#include "rounding.h"
#include "standard_headers.h"

#if !defined(__x86_64__)
#include <fenv.h>
#endif

#if defined(__x86_64__)
#define MUSASHIM_FP_REGISTER "+x"
/* Bits 13 and 14 of MXCSR, in the order of __musa_rounding. */
struct __musa_rounding_scope {
  unsigned int saved;
  explicit MUSASHIM_D __musa_rounding_scope(__musa_rounding rounding) {
    __asm__ volatile("stmxcsr %0" : "=m"(saved));
    const unsigned int changed = (saved & ~0x6000u) | unsigned(rounding) << 13;
    __asm__ volatile("ldmxcsr %0" : : "m"(changed) : "memory");
  }
  MUSASHIM_D ~__musa_rounding_scope() { __asm__ volatile("ldmxcsr %0" : : "m"(saved) : "memory"); }
};
#else
#define MUSASHIM_FP_REGISTER "+w"
struct __musa_rounding_scope {
  int saved;
  explicit MUSASHIM_D __musa_rounding_scope(__musa_rounding rounding) : saved(fegetround()) {
    const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    fesetround(modes[int(rounding)]);
  }
  MUSASHIM_D ~__musa_rounding_scope() { fesetround(saved); }
};
#endif

/* Keeps the compiler from knowing the value or moving its computation. */
#define MUSASHIM_PIN(value) __asm__ volatile("" : MUSASHIM_FP_REGISTER(value) : : "memory")

#define MUSASHIM_BINARY(name, T, expression)              \
  MUSASHIM_D T name(T x, T y, __musa_rounding rounding) { \
    __musa_rounding_scope scope(rounding);                \
    MUSASHIM_PIN(x);                                      \
    MUSASHIM_PIN(y);                                      \
    T result = expression;                                \
    MUSASHIM_PIN(result);                                 \
    return result;                                        \
  }                                                       \
  static_assert(true, "takes the semicolon")

MUSASHIM_BINARY(__musa_add, float, x + y);
MUSASHIM_BINARY(__musa_sub, float, x - y);
MUSASHIM_BINARY(__musa_mul, float, x* y);
MUSASHIM_BINARY(__musa_div, float, x / y);
MUSASHIM_BINARY(__musa_add, double, x + y);
MUSASHIM_BINARY(__musa_sub, double, x - y);
MUSASHIM_BINARY(__musa_mul, double, x* y);
MUSASHIM_BINARY(__musa_div, double, x / y);
#undef MUSASHIM_BINARY

#define MUSASHIM_SQRT_FMA(T, suffix)                                 \
  MUSASHIM_D T __musa_sqrt(T x, __musa_rounding rounding) {          \
    __musa_rounding_scope scope(rounding);                           \
    MUSASHIM_PIN(x);                                                 \
    T result = __builtin_sqrt##suffix(x);                            \
    MUSASHIM_PIN(result);                                            \
    return result;                                                   \
  }                                                                  \
  MUSASHIM_D T __musa_fma(T x, T y, T z, __musa_rounding rounding) { \
    __musa_rounding_scope scope(rounding);                           \
    MUSASHIM_PIN(x);                                                 \
    MUSASHIM_PIN(y);                                                 \
    MUSASHIM_PIN(z);                                                 \
    T result = __builtin_fma##suffix(x, y, z);                       \
    MUSASHIM_PIN(result);                                            \
    return result;                                                   \
  }                                                                  \
  static_assert(true, "takes the semicolon")
MUSASHIM_SQRT_FMA(float, f);
MUSASHIM_SQRT_FMA(double, );
#undef MUSASHIM_SQRT_FMA

/* The public names, in the three directed roundings; _rn is float_intrinsics.h's. */
#define MUSASHIM_DIRECTED(T, p, suffix, mode)                                                    \
  MUSASHIM_D T __##p##add_##suffix(T x, T y) { return __musa_add(x, y, __musa_rounding::mode); } \
  MUSASHIM_D T __##p##sub_##suffix(T x, T y) { return __musa_sub(x, y, __musa_rounding::mode); } \
  MUSASHIM_D T __##p##mul_##suffix(T x, T y) { return __musa_mul(x, y, __musa_rounding::mode); } \
  MUSASHIM_D T __##p##div_##suffix(T x, T y) { return __musa_div(x, y, __musa_rounding::mode); } \
  MUSASHIM_D T __##p##rcp_##suffix(T x) { return __musa_div(T(1), x, __musa_rounding::mode); }   \
  MUSASHIM_D T __##p##sqrt_##suffix(T x) { return __musa_sqrt(x, __musa_rounding::mode); }       \
  static_assert(true, "takes the semicolon")
MUSASHIM_DIRECTED(float, f, rz, zero);
MUSASHIM_DIRECTED(float, f, ru, up);
MUSASHIM_DIRECTED(float, f, rd, down);
MUSASHIM_DIRECTED(double, d, rz, zero);
MUSASHIM_DIRECTED(double, d, ru, up);
MUSASHIM_DIRECTED(double, d, rd, down);
#undef MUSASHIM_DIRECTED

MUSASHIM_D float __fmaf_rz(float x, float y, float z) { return __musa_fma(x, y, z, __musa_rounding::zero); }
MUSASHIM_D float __fmaf_ru(float x, float y, float z) { return __musa_fma(x, y, z, __musa_rounding::up); }
MUSASHIM_D float __fmaf_rd(float x, float y, float z) { return __musa_fma(x, y, z, __musa_rounding::down); }
MUSASHIM_D float __fmaf_ieee_rz(float x, float y, float z) { return __fmaf_rz(x, y, z); }
MUSASHIM_D float __fmaf_ieee_ru(float x, float y, float z) { return __fmaf_ru(x, y, z); }
MUSASHIM_D float __fmaf_ieee_rd(float x, float y, float z) { return __fmaf_rd(x, y, z); }
MUSASHIM_D double __fma_rz(double x, double y, double z) {
  return __musa_fma(x, y, z, __musa_rounding::zero);
}
MUSASHIM_D double __fma_ru(double x, double y, double z) { return __musa_fma(x, y, z, __musa_rounding::up); }
MUSASHIM_D double __fma_rd(double x, double y, double z) {
  return __musa_fma(x, y, z, __musa_rounding::down);
}

#undef MUSASHIM_PIN
#undef MUSASHIM_FP_REGISTER
#endif
