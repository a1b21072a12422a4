/* Arithmetic in a given rounding direction: __fadd_rz, __dmul_ru and their like.
 *
 * The processor's own rounding mode does it, which is exact in every case (overflow
 * and subnormal results too). On x86-64 the operation and the two changes of the mode are
 * one assembler statement: the compiler takes arithmetic for free of side effects, and
 * moves its own to wherever it likes, also in between two statements.
 */
#ifndef MUSASHIM_CRT_FLOAT_ROUNDING_H
#define MUSASHIM_CRT_FLOAT_ROUNDING_H

#include "host_defines.h"
#include "rounding.h"
#include "standard_headers.h"

#if defined(__x86_64__)
#if defined(__AVX__)
#define MUSASHIM_ROUNDED(name, operands) "v" name " " operands
#define MUSASHIM_X_BY_Y "%[y], %[x], %[x]"
#define MUSASHIM_OF_X "%[x], %[x], %[x]"
#else
#define MUSASHIM_ROUNDED(name, operands) name " " operands
#define MUSASHIM_X_BY_Y "%[y], %[x]"
#define MUSASHIM_OF_X "%[x], %[x]"
#endif

/* What MXCSR is, and what it is to be while an operation rounds: bits 13 and 14, in the order of
 * __musa_rounding. */
struct __musa_rounding_modes {
  unsigned int saved, wanted;
  explicit MUSASHIM_D __musa_rounding_modes(__musa_rounding rounding) {
    __asm__ volatile("stmxcsr %0" : "=m"(saved));
    wanted = (saved & ~0x6000u) | unsigned(rounding) << 13;
  }
};
#define MUSASHIM_IN_MODE(operation) "ldmxcsr %[wanted]\n\t" operation "\n\tldmxcsr %[saved]"
#define MUSASHIM_MODES [wanted] "m"(modes.wanted), [saved] "m"(modes.saved)

#define MUSASHIM_BINARY(name, T, instruction)                                \
  MUSASHIM_D T name(T x, T y, __musa_rounding rounding) {                    \
    const __musa_rounding_modes modes(rounding);                             \
    __asm__(MUSASHIM_IN_MODE(MUSASHIM_ROUNDED(instruction, MUSASHIM_X_BY_Y)) \
            : [x] "+x"(x)                                                    \
            : [y] "x"(y), MUSASHIM_MODES);                                   \
    return x;                                                                \
  }                                                                          \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_SQRT(T, instruction)                                                                       \
  MUSASHIM_D T __musa_sqrt(T x, __musa_rounding rounding) {                                                 \
    const __musa_rounding_modes modes(rounding);                                                            \
    __asm__(MUSASHIM_IN_MODE(MUSASHIM_ROUNDED(instruction, MUSASHIM_OF_X)) : [x] "+x"(x) : MUSASHIM_MODES); \
    return x;                                                                                               \
  }                                                                                                         \
  static_assert(true, "takes the semicolon")

MUSASHIM_BINARY(__musa_add, float, "addss");
MUSASHIM_BINARY(__musa_sub, float, "subss");
MUSASHIM_BINARY(__musa_mul, float, "mulss");
MUSASHIM_BINARY(__musa_div, float, "divss");
MUSASHIM_BINARY(__musa_add, double, "addsd");
MUSASHIM_BINARY(__musa_sub, double, "subsd");
MUSASHIM_BINARY(__musa_mul, double, "mulsd");
MUSASHIM_BINARY(__musa_div, double, "divsd");
MUSASHIM_SQRT(float, "sqrtss");
MUSASHIM_SQRT(double, "sqrtsd");
#undef MUSASHIM_BINARY
#undef MUSASHIM_SQRT

#if defined(__FMA__)
#define MUSASHIM_FMA(T, suffix, instruction)                         \
  MUSASHIM_D T __musa_fma(T x, T y, T z, __musa_rounding rounding) { \
    const __musa_rounding_modes modes(rounding);                     \
    __asm__(MUSASHIM_IN_MODE(instruction " %[z], %[y], %[x]")        \
            : [x] "+x"(x)                                            \
            : [y] "x"(y), [z] "x"(z), MUSASHIM_MODES);               \
    return x;                                                        \
  }                                                                  \
  static_assert(true, "takes the semicolon")
#else /* A call: nothing of the caller's can move behind what it waits for. */
#define MUSASHIM_FMA(T, suffix, instruction)                                                   \
  MUSASHIM_D T __musa_fma(T x, T y, T z, __musa_rounding rounding) {                           \
    const __musa_rounding_modes modes(rounding);                                               \
    __asm__ volatile("ldmxcsr %[wanted]"                                                       \
                     : "+x"(x), "+x"(y), "+x"(z)                                               \
                     : [wanted] "m"(modes.wanted)                                              \
                     : "memory");                                                              \
    T result = __builtin_fma##suffix(x, y, z);                                                 \
    __asm__ volatile("ldmxcsr %[saved]" : "+x"(result) : [saved] "m"(modes.saved) : "memory"); \
    return result;                                                                             \
  }                                                                                            \
  static_assert(true, "takes the semicolon")
#endif
MUSASHIM_FMA(float, f, "vfmadd213ss");
MUSASHIM_FMA(double, , "vfmadd213sd");
#undef MUSASHIM_FMA
#undef MUSASHIM_IN_MODE
#undef MUSASHIM_MODES
#undef MUSASHIM_ROUNDED
#undef MUSASHIM_X_BY_Y
#undef MUSASHIM_OF_X

#else /* Other processors: between two changes of the mode that the compiler knows as such. */
#include <fenv.h>
#define MUSASHIM_IN_MODE(expression)                                         \
  const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}; \
  const int saved = fegetround();                                            \
  fesetround(modes[int(rounding)]);                                          \
  volatile T result = expression;                                            \
  fesetround(saved);                                                         \
  return result
template <typename T>
MUSASHIM_D T __musa_add(volatile T x, volatile T y, __musa_rounding rounding) {
  MUSASHIM_IN_MODE(x + y);
}
template <typename T>
MUSASHIM_D T __musa_sub(volatile T x, volatile T y, __musa_rounding rounding) {
  MUSASHIM_IN_MODE(x - y);
}
template <typename T>
MUSASHIM_D T __musa_mul(volatile T x, volatile T y, __musa_rounding rounding) {
  MUSASHIM_IN_MODE(x * y);
}
template <typename T>
MUSASHIM_D T __musa_div(volatile T x, volatile T y, __musa_rounding rounding) {
  MUSASHIM_IN_MODE(x / y);
}
template <typename T>
MUSASHIM_D T __musa_sqrt(volatile T x, __musa_rounding rounding) {
  MUSASHIM_IN_MODE(std::sqrt(T(x)));
}
template <typename T>
MUSASHIM_D T __musa_fma(volatile T x, volatile T y, volatile T z, __musa_rounding rounding) {
  MUSASHIM_IN_MODE(std::fma(T(x), T(y), T(z)));
}
#undef MUSASHIM_IN_MODE
#endif

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

#endif
