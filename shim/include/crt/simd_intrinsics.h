/* SIMD-in-word intrinsics (CUDA Math API, "SIMD Intrinsics"): two 16-bit or four 8-bit
 * integers in an unsigned int. Loops over the lanes in scalar code, which the compiler
 * unrolls, and vectorises over threads. */
#ifndef MUSASHIM_CRT_SIMD_INTRINSICS_H
#define MUSASHIM_CRT_SIMD_INTRINSICS_H

#include "host_defines.h"

MUSASHIM_HD int __musa_clamp(int value, int low, int high) {
  return value < low ? low : value > high ? high : value;
}

/* name: a function of lanes x and y of type T, whose result's low bits are a lane. */
#define MUSASHIM_LANES(decoration, name, T, expression)            \
  decoration unsigned int name(unsigned int a, unsigned int b) {   \
    const unsigned int mask = sizeof(T) == 1 ? 0xffu : 0xffffu;    \
    unsigned int result = 0;                                       \
    for (int shift = 0; shift < 32; shift += int(8 * sizeof(T))) { \
      const int x = T(a >> shift), y = T(b >> shift);              \
      result |= (unsigned(expression) & mask) << shift;            \
    }                                                              \
    return result;                                                 \
  }                                                                \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_LANES1(name, T, expression)                       \
  MUSASHIM_D unsigned int name(unsigned int a) {                   \
    const unsigned int mask = sizeof(T) == 1 ? 0xffu : 0xffffu;    \
    unsigned int result = 0;                                       \
    for (int shift = 0; shift < 32; shift += int(8 * sizeof(T))) { \
      const int x = T(a >> shift);                                 \
      result |= (unsigned(expression) & mask) << shift;            \
    }                                                              \
    return result;                                                 \
  }                                                                \
  static_assert(true, "takes the semicolon")
/* Sums a lane's values into one number. */
#define MUSASHIM_LANES_SUM(name, T, expression)                    \
  MUSASHIM_D unsigned int name(unsigned int a, unsigned int b) {   \
    unsigned int result = 0;                                       \
    for (int shift = 0; shift < 32; shift += int(8 * sizeof(T))) { \
      const int x = T(a >> shift), y = T(b >> shift);              \
      result += unsigned(expression);                              \
    }                                                              \
    return result;                                                 \
  }                                                                \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_COMPARE_LANES(n, S, U, word, op)                     \
  MUSASHIM_LANES(MUSASHIM_D, __vcmp##word##s##n, S, x op y ? -1 : 0); \
  MUSASHIM_LANES(MUSASHIM_D, __vcmp##word##u##n, U, x op y ? -1 : 0); \
  MUSASHIM_LANES(MUSASHIM_D, __vset##word##s##n, S, x op y ? 1 : 0);  \
  MUSASHIM_LANES(MUSASHIM_D, __vset##word##u##n, U, x op y ? 1 : 0)

/* Everything that exists for both widths: n lanes of S or U, in low .. high. A signed
 * average rounds halves up when the sum is not negative, else down. */
#define MUSASHIM_SIMD(n, S, U, low, high, top)                                    \
  MUSASHIM_LANES1(__vabs##n, S, x < 0 ? -x : x);                                  \
  MUSASHIM_LANES1(__vabsss##n, S, __musa_clamp(x < 0 ? -x : x, low, high));       \
  MUSASHIM_LANES1(__vneg##n, S, -x);                                              \
  MUSASHIM_LANES1(__vnegss##n, S, __musa_clamp(-x, low, high));                   \
  /* Carries stay below each lane's top bit, which is added without one. */       \
  MUSASHIM_D unsigned int __vadd##n(unsigned int a, unsigned int b) {             \
    return ((a & ~top) + (b & ~top)) ^ ((a ^ b) & top);                           \
  }                                                                               \
  MUSASHIM_D unsigned int __vsub##n(unsigned int a, unsigned int b) {             \
    return ((a | top) - (b & ~top)) ^ ((a ^ ~b) & top);                           \
  }                                                                               \
  MUSASHIM_LANES(MUSASHIM_D, __vaddss##n, S, __musa_clamp(x + y, low, high));     \
  MUSASHIM_LANES(MUSASHIM_D, __vaddus##n, U, __musa_clamp(x + y, 0, high - low)); \
  MUSASHIM_LANES(MUSASHIM_D, __vsubss##n, S, __musa_clamp(x - y, low, high));     \
  MUSASHIM_LANES(MUSASHIM_D, __vsubus##n, U, __musa_clamp(x - y, 0, high - low)); \
  MUSASHIM_LANES(MUSASHIM_D, __vavgs##n, S, (x + y + (x + y >= 0 ? 1 : 0)) >> 1); \
  MUSASHIM_LANES(MUSASHIM_D, __vavgu##n, U, (x + y + 1) >> 1);                    \
  MUSASHIM_LANES(MUSASHIM_D, __vhaddu##n, U, (x + y) >> 1);                       \
  MUSASHIM_LANES(MUSASHIM_D, __vabsdiffs##n, S, x < y ? y - x : x - y);           \
  MUSASHIM_LANES(MUSASHIM_D, __vabsdiffu##n, U, x < y ? y - x : x - y);           \
  MUSASHIM_LANES_SUM(__vsads##n, S, x < y ? y - x : x - y);                       \
  MUSASHIM_LANES_SUM(__vsadu##n, U, x < y ? y - x : x - y);                       \
  MUSASHIM_LANES(MUSASHIM_HD, __vmaxs##n, S, x < y ? y : x);                      \
  MUSASHIM_LANES(MUSASHIM_HD, __vmaxu##n, U, x < y ? y : x);                      \
  MUSASHIM_LANES(MUSASHIM_HD, __vmins##n, S, x < y ? x : y);                      \
  MUSASHIM_LANES(MUSASHIM_HD, __vminu##n, U, x < y ? x : y);                      \
  MUSASHIM_LANES(MUSASHIM_D, __vcmpeq##n, U, x == y ? -1 : 0);                    \
  MUSASHIM_LANES(MUSASHIM_D, __vcmpne##n, U, x != y ? -1 : 0);                    \
  MUSASHIM_LANES(MUSASHIM_D, __vseteq##n, U, x == y ? 1 : 0);                     \
  MUSASHIM_LANES(MUSASHIM_D, __vsetne##n, U, x != y ? 1 : 0);                     \
  MUSASHIM_COMPARE_LANES(n, S, U, ge, >=);                                        \
  MUSASHIM_COMPARE_LANES(n, S, U, gt, >);                                         \
  MUSASHIM_COMPARE_LANES(n, S, U, le, <=);                                        \
  MUSASHIM_COMPARE_LANES(n, S, U, lt, <)

typedef signed char __musa_s8;
typedef unsigned char __musa_u8;
typedef unsigned short __musa_u16;
MUSASHIM_SIMD(2, short, __musa_u16, -0x8000, 0x7fff, 0x80008000u);
MUSASHIM_SIMD(4, __musa_s8, __musa_u8, -0x80, 0x7f, 0x80808080u);

/* -- Maxima and minima of three, after a sum, with a floor of 0 (DPX) -- */
MUSASHIM_HD unsigned int __musa_wrapping_add2(unsigned int a, unsigned int b) {
  return ((a & 0x7fff7fffu) + (b & 0x7fff7fffu)) ^ ((a ^ b) & 0x80008000u);
}
#define MUSASHIM_DPX(word, op)                                                                          \
  MUSASHIM_HD int __vi##word##_s32_relu(int a, int b) {                                                 \
    const int c = a op b ? a : b;                                                                       \
    return c > 0 ? c : 0;                                                                               \
  }                                                                                                     \
  MUSASHIM_HD unsigned int __vi##word##_s16x2_relu(unsigned int a, unsigned int b) {                    \
    return __vmaxs2(__v##word##s2(a, b), 0u);                                                           \
  }                                                                                                     \
  MUSASHIM_HD int __vi##word##3_s32(int a, int b, int c) {                                              \
    const int d = a op b ? a : b;                                                                       \
    return d op c ? d : c;                                                                              \
  }                                                                                                     \
  MUSASHIM_HD unsigned int __vi##word##3_u32(unsigned int a, unsigned int b, unsigned int c) {          \
    const unsigned int d = a op b ? a : b;                                                              \
    return d op c ? d : c;                                                                              \
  }                                                                                                     \
  MUSASHIM_HD int __vi##word##3_s32_relu(int a, int b, int c) {                                         \
    const int d = __vi##word##3_s32(a, b, c);                                                           \
    return d > 0 ? d : 0;                                                                               \
  }                                                                                                     \
  MUSASHIM_HD unsigned int __vi##word##3_s16x2(unsigned int a, unsigned int b, unsigned int c) {        \
    return __v##word##s2(__v##word##s2(a, b), c);                                                       \
  }                                                                                                     \
  MUSASHIM_HD unsigned int __vi##word##3_u16x2(unsigned int a, unsigned int b, unsigned int c) {        \
    return __v##word##u2(__v##word##u2(a, b), c);                                                       \
  }                                                                                                     \
  MUSASHIM_HD unsigned int __vi##word##3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {   \
    return __vmaxs2(__vi##word##3_s16x2(a, b, c), 0u);                                                  \
  }                                                                                                     \
  MUSASHIM_HD int __viadd##word##_s32(int a, int b, int c) {                                            \
    const int sum = int(unsigned(a) + unsigned(b));                                                     \
    return sum op c ? sum : c;                                                                          \
  }                                                                                                     \
  MUSASHIM_HD unsigned int __viadd##word##_u32(unsigned int a, unsigned int b, unsigned int c) {        \
    return a + b op c ? a + b : c;                                                                      \
  }                                                                                                     \
  MUSASHIM_HD int __viadd##word##_s32_relu(int a, int b, int c) {                                       \
    const int d = __viadd##word##_s32(a, b, c);                                                         \
    return d > 0 ? d : 0;                                                                               \
  }                                                                                                     \
  MUSASHIM_HD unsigned int __viadd##word##_s16x2(unsigned int a, unsigned int b, unsigned int c) {      \
    return __v##word##s2(__musa_wrapping_add2(a, b), c);                                                \
  }                                                                                                     \
  MUSASHIM_HD unsigned int __viadd##word##_u16x2(unsigned int a, unsigned int b, unsigned int c) {      \
    return __v##word##u2(__musa_wrapping_add2(a, b), c);                                                \
  }                                                                                                     \
  MUSASHIM_HD unsigned int __viadd##word##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) { \
    return __vmaxs2(__viadd##word##_s16x2(a, b, c), 0u);                                                \
  }                                                                                                     \
  /* The predicates say whether the result is a's. */                                                   \
  MUSASHIM_HD int __vib##word##_s32(int a, int b, bool* predicate) {                                    \
    *predicate = a op## = b;                                                                            \
    return *predicate ? a : b;                                                                          \
  }                                                                                                     \
  MUSASHIM_HD unsigned int __vib##word##_u32(unsigned int a, unsigned int b, bool* predicate) {         \
    *predicate = a op## = b;                                                                            \
    return *predicate ? a : b;                                                                          \
  }                                                                                                     \
  MUSASHIM_HD unsigned int __vib##word##_s16x2(unsigned int a, unsigned int b, bool* high, bool* low) { \
    *high = short(a >> 16) op## = short(b >> 16);                                                       \
    *low = short(a) op## = short(b);                                                                    \
    return __v##word##s2(a, b);                                                                         \
  }                                                                                                     \
  MUSASHIM_HD unsigned int __vib##word##_u16x2(unsigned int a, unsigned int b, bool* high, bool* low) { \
    *high = __musa_u16(a >> 16) op## = __musa_u16(b >> 16);                                             \
    *low = __musa_u16(a) op## = __musa_u16(b);                                                          \
    return __v##word##u2(a, b);                                                                         \
  }                                                                                                     \
  static_assert(true, "takes the semicolon")
MUSASHIM_DPX(max, >);
MUSASHIM_DPX(min, <);

#undef MUSASHIM_DPX
#undef MUSASHIM_SIMD
#undef MUSASHIM_COMPARE_LANES
#undef MUSASHIM_LANES_SUM
#undef MUSASHIM_LANES1
#undef MUSASHIM_LANES

#endif
