/* Complex numbers of C and C++, on host and device: cuComplex.h's types and functions.
 *
 * A complex number is a vector of two: x is the real part, y the imaginary one. Absolute values and
 * quotients neither overflow nor underflow on the way: only where their result does. Quotients by zero, and
 * of infinities, are NaN.
 */
#ifndef MUSASHIM_MU_COMPLEX_H
#define MUSASHIM_MU_COMPLEX_H

#include <math.h>

#include "crt/host_defines.h"
#include "vector_types.h"

#define MUSASHIM_COMPLEX static __inline__ __host__ __device__

typedef float2 muFloatComplex;
typedef double2 muDoubleComplex;
typedef muFloatComplex muComplex;

/* The power of two that brings numbers as large as `largest` near 1, as its exponent. Zero and numbers below
 * the normal ones are brought as near as a normal factor does. */
MUSASHIM_COMPLEX int musashimScaleOfFloat(float largest) {
  unsigned int bits;
  __builtin_memcpy(&bits, &largest, sizeof bits);
  const int scale = 127 - (int)(bits >> 23 & 0xffu);
  return scale < -126 ? -126 : scale;
}
MUSASHIM_COMPLEX int musashimScaleOfDouble(double largest) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &largest, sizeof bits);
  const int scale = 1023 - (int)(bits >> 52 & 0x7ffu);
  return scale < -1022 ? -1022 : scale;
}

/* 2^exponent, for exponents of normal numbers. */
MUSASHIM_COMPLEX float musashimPowerOfFloat(int exponent) {
  const unsigned int bits = (unsigned int)(exponent + 127) << 23;
  float power;
  __builtin_memcpy(&power, &bits, sizeof power);
  return power;
}
MUSASHIM_COMPLEX double musashimPowerOfDouble(int exponent) {
  const unsigned long long bits = (unsigned long long)(exponent + 1023) << 52;
  double power;
  __builtin_memcpy(&power, &bits, sizeof power);
  return power;
}

/* All functions of a precision. `f`: what the names of float functions end in. */
#define MUSASHIM_COMPLEX_FUNCTIONS(Type, Real, Word, f)                                                  \
  MUSASHIM_COMPLEX Real muCreal##f(Type x) { return x.x; }                                               \
  MUSASHIM_COMPLEX Real muCimag##f(Type x) { return x.y; }                                               \
  MUSASHIM_COMPLEX Type make_##Type(Real r, Real i) {                                                    \
    Type z;                                                                                              \
    z.x = r;                                                                                             \
    z.y = i;                                                                                             \
    return z;                                                                                            \
  }                                                                                                      \
  MUSASHIM_COMPLEX Type muConj##f(Type x) { return make_##Type(x.x, -x.y); }                             \
  MUSASHIM_COMPLEX Type muCadd##f(Type x, Type y) { return make_##Type(x.x + y.x, x.y + y.y); }          \
  MUSASHIM_COMPLEX Type muCsub##f(Type x, Type y) { return make_##Type(x.x - y.x, x.y - y.y); }          \
  MUSASHIM_COMPLEX Type muCmul##f(Type x, Type y) {                                                      \
    return make_##Type(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                    \
  }                                                                                                      \
  MUSASHIM_COMPLEX Type muCfma##f(Type x, Type y, Type d) {                                              \
    const Real real = x.x * y.x + d.x;                                                                   \
    const Real imaginary = x.x * y.y + d.y;                                                              \
    return make_##Type(-(x.y * y.y) + real, x.y * y.x + imaginary);                                      \
  }                                                                                                      \
  MUSASHIM_COMPLEX Real muCabs##f(Type x) { return hypot##f(x.x, x.y); }                                 \
  /* Both near 1, the quotient, and what was taken out put back in two steps of which each is normal. */ \
  MUSASHIM_COMPLEX Type muCdiv##f(Type x, Type y) {                                                      \
    const int scaleX = musashimScaleOf##Word(fmax##f(fabs##f(x.x), fabs##f(x.y)));                       \
    const int scaleY = musashimScaleOf##Word(fmax##f(fabs##f(y.x), fabs##f(y.y)));                       \
    const Real up = musashimPowerOf##Word(scaleX), down = musashimPowerOf##Word(scaleY);                 \
    const Real a = x.x * up, b = x.y * up, c = y.x * down, d = y.y * down;                               \
    const Real square = c * c + d * d;                                                                   \
    const int half = (scaleY - scaleX) / 2;                                                              \
    const Real first = musashimPowerOf##Word(half);                                                      \
    const Real second = musashimPowerOf##Word(scaleY - scaleX - half);                                   \
    return make_##Type((a * c + b * d) / square * first * second,                                        \
                       (b * c - a * d) / square * first * second);                                       \
  }                                                                                                      \
  struct float2 /* takes the semicolon */

MUSASHIM_COMPLEX_FUNCTIONS(muFloatComplex, float, Float, f);
MUSASHIM_COMPLEX_FUNCTIONS(muDoubleComplex, double, Double, );
#undef MUSASHIM_COMPLEX_FUNCTIONS

MUSASHIM_COMPLEX muComplex make_muComplex(float x, float y) { return make_muFloatComplex(x, y); }
MUSASHIM_COMPLEX muDoubleComplex muComplexFloatToDouble(muFloatComplex c) {
  return make_muDoubleComplex((double)c.x, (double)c.y);
}
MUSASHIM_COMPLEX muFloatComplex muComplexDoubleToFloat(muDoubleComplex c) {
  return make_muFloatComplex((float)c.x, (float)c.y);
}

#undef MUSASHIM_COMPLEX

#endif
