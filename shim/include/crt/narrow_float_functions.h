/* Arithmetic, comparisons and math of one 16-bit floating-point format, for numbers and
 * pairs. Included by musa_fp16.h and musa_bf16.h, once each, with the macros of
 * narrow_float_type.h and these:
 *
 *   MUSASHIM_WIDEN(x)              T to float, exact
 *   MUSASHIM_NARROW(x)             float to T, to nearest even
 *   MUSASHIM_NARROW_DOUBLE(x)      double to T, to nearest even
 *   MUSASHIM_PRODUCT               float or double, in which products of two T are exact
 *   MUSASHIM_FROM_BITS(bits)       T from its bits
 *
 * Sums, products and roots are computed in float, which has more than twice T's
 * precision plus two bits: rounding twice then equals rounding once (Figueroa 1995).
 * Quotients go through double for the sake of bfloat16's subnormal results.
 */

/* -- Arithmetic -- */
MUSASHIM_HD MUSASHIM_T __hadd(MUSASHIM_T a, MUSASHIM_T b) {
  return MUSASHIM_NARROW(MUSASHIM_WIDEN(a) + MUSASHIM_WIDEN(b));
}
MUSASHIM_HD MUSASHIM_T __hsub(MUSASHIM_T a, MUSASHIM_T b) {
  return MUSASHIM_NARROW(MUSASHIM_WIDEN(a) - MUSASHIM_WIDEN(b));
}
MUSASHIM_HD MUSASHIM_T __hmul(MUSASHIM_T a, MUSASHIM_T b) {
  return MUSASHIM_NARROW(MUSASHIM_WIDEN(a) * MUSASHIM_WIDEN(b));
}
MUSASHIM_HD MUSASHIM_T __hdiv(MUSASHIM_T a, MUSASHIM_T b) {
  return MUSASHIM_NARROW_DOUBLE(double(MUSASHIM_WIDEN(a)) / double(MUSASHIM_WIDEN(b)));
}
MUSASHIM_HD MUSASHIM_T __hfma(MUSASHIM_T a, MUSASHIM_T b, MUSASHIM_T c) {
  return MUSASHIM_T(
      __musa_fma_to_odd<MUSASHIM_PRODUCT>(MUSASHIM_WIDEN(a), MUSASHIM_WIDEN(b), MUSASHIM_WIDEN(c)));
}
MUSASHIM_HD MUSASHIM_T __hneg(MUSASHIM_T a) { return MUSASHIM_FROM_BITS(a.__x ^ 0x8000u); }
MUSASHIM_HD MUSASHIM_T __habs(MUSASHIM_T a) { return MUSASHIM_FROM_BITS(a.__x & 0x7fffu); }
/* Nothing here is ever contracted, so the _rn forms are the plain ones. */
MUSASHIM_HD MUSASHIM_T __hadd_rn(MUSASHIM_T a, MUSASHIM_T b) { return __hadd(a, b); }
MUSASHIM_HD MUSASHIM_T __hsub_rn(MUSASHIM_T a, MUSASHIM_T b) { return __hsub(a, b); }
MUSASHIM_HD MUSASHIM_T __hmul_rn(MUSASHIM_T a, MUSASHIM_T b) { return __hmul(a, b); }

/* -- Comparisons: a NaN makes them false, and the ...u forms true -- */
#define MUSASHIM_COMPARE(name, op)                                                                \
  MUSASHIM_HD bool __h##name(MUSASHIM_T a, MUSASHIM_T b) {                                        \
    const float x = MUSASHIM_WIDEN(a), y = MUSASHIM_WIDEN(b);                                     \
    return x == x && y == y && x op y;                                                            \
  }                                                                                               \
  MUSASHIM_HD bool __h##name##u(MUSASHIM_T a, MUSASHIM_T b) {                                     \
    const float x = MUSASHIM_WIDEN(a), y = MUSASHIM_WIDEN(b);                                     \
    return x != x || y != y || x op y;                                                            \
  }                                                                                               \
  MUSASHIM_HD bool __hb##name##2(MUSASHIM_T2 a, MUSASHIM_T2 b) {                                  \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                            \
  }                                                                                               \
  MUSASHIM_HD bool __hb##name##u2(MUSASHIM_T2 a, MUSASHIM_T2 b) {                                 \
    return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                      \
  }                                                                                               \
  MUSASHIM_HD MUSASHIM_T2 __h##name##2(MUSASHIM_T2 a, MUSASHIM_T2 b) {                            \
    return MUSASHIM_T2(MUSASHIM_NARROW(float(__h##name(a.x, b.x))),                               \
                       MUSASHIM_NARROW(float(__h##name(a.y, b.y))));                              \
  }                                                                                               \
  MUSASHIM_HD MUSASHIM_T2 __h##name##u2(MUSASHIM_T2 a, MUSASHIM_T2 b) {                           \
    return MUSASHIM_T2(MUSASHIM_NARROW(float(__h##name##u(a.x, b.x))),                            \
                       MUSASHIM_NARROW(float(__h##name##u(a.y, b.y))));                           \
  }                                                                                               \
  MUSASHIM_HD unsigned int __h##name##2_mask(MUSASHIM_T2 a, MUSASHIM_T2 b) {                      \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);       \
  }                                                                                               \
  MUSASHIM_HD unsigned int __h##name##u2_mask(MUSASHIM_T2 a, MUSASHIM_T2 b) {                     \
    return (__h##name##u(a.x, b.x) ? 0xffffu : 0u) | (__h##name##u(a.y, b.y) ? 0xffff0000u : 0u); \
  }                                                                                               \
  static_assert(true, "takes the semicolon")
MUSASHIM_COMPARE(eq, ==);
MUSASHIM_COMPARE(ne, !=);
MUSASHIM_COMPARE(lt, <);
MUSASHIM_COMPARE(le, <=);
MUSASHIM_COMPARE(gt, >);
MUSASHIM_COMPARE(ge, >=);
#undef MUSASHIM_COMPARE

MUSASHIM_HD bool __hisnan(MUSASHIM_T a) { return MUSASHIM_WIDEN(a) != MUSASHIM_WIDEN(a); }
/* 1 or -1 with the infinity's sign, else 0. */
MUSASHIM_HD int __hisinf(MUSASHIM_T a) {
  const float x = MUSASHIM_WIDEN(a);
  return x == __builtin_huge_valf() ? 1 : x == -__builtin_huge_valf() ? -1 : 0;
}

/* -- Minimum and maximum: -0 is less than +0, a NaN loses; the _nan forms return it -- */
/* Bits as an integer that orders numbers as their values do. */
MUSASHIM_HD int __musa_order_key(MUSASHIM_T a) { return a.__x & 0x8000u ? 0x7fff - int(a.__x) : int(a.__x); }
MUSASHIM_HD MUSASHIM_T __hmin(MUSASHIM_T a, MUSASHIM_T b) {
  if (__hisnan(a)) return __hisnan(b) ? MUSASHIM_FROM_BITS(0x7fffu) : b;
  if (__hisnan(b)) return a;
  return __musa_order_key(a) < __musa_order_key(b) ? a : b;
}
MUSASHIM_HD MUSASHIM_T __hmax(MUSASHIM_T a, MUSASHIM_T b) {
  if (__hisnan(a)) return __hisnan(b) ? MUSASHIM_FROM_BITS(0x7fffu) : b;
  if (__hisnan(b)) return a;
  return __musa_order_key(a) < __musa_order_key(b) ? b : a;
}
MUSASHIM_HD MUSASHIM_T __hmin_nan(MUSASHIM_T a, MUSASHIM_T b) {
  return __hisnan(a) || __hisnan(b) ? MUSASHIM_FROM_BITS(0x7fffu) : __hmin(a, b);
}
MUSASHIM_HD MUSASHIM_T __hmax_nan(MUSASHIM_T a, MUSASHIM_T b) {
  return __hisnan(a) || __hisnan(b) ? MUSASHIM_FROM_BITS(0x7fffu) : __hmax(a, b);
}

/* -- Saturation to [0, 1] (NaN gives +0), and rectified forms -- */
MUSASHIM_HD MUSASHIM_T __musa_saturate(MUSASHIM_T a) {
  const float x = MUSASHIM_WIDEN(a);
  return x > 0.0f ? (x < 1.0f ? a : MUSASHIM_NARROW(1.0f)) : MUSASHIM_FROM_BITS(0u);
}
MUSASHIM_HD MUSASHIM_T __hadd_sat(MUSASHIM_T a, MUSASHIM_T b) { return __musa_saturate(__hadd(a, b)); }
MUSASHIM_HD MUSASHIM_T __hsub_sat(MUSASHIM_T a, MUSASHIM_T b) { return __musa_saturate(__hsub(a, b)); }
MUSASHIM_HD MUSASHIM_T __hmul_sat(MUSASHIM_T a, MUSASHIM_T b) { return __musa_saturate(__hmul(a, b)); }
MUSASHIM_HD MUSASHIM_T __hfma_sat(MUSASHIM_T a, MUSASHIM_T b, MUSASHIM_T c) {
  return __musa_saturate(__hfma(a, b, c));
}
MUSASHIM_HD MUSASHIM_T __hfma_relu(MUSASHIM_T a, MUSASHIM_T b, MUSASHIM_T c) {
  return __hmax_nan(__hfma(a, b, c), MUSASHIM_FROM_BITS(0u));
}

/* -- Math functions, accurate to the last place or nearly so -- */
#define MUSASHIM_UNARY(name, expression)                                                              \
  MUSASHIM_HD MUSASHIM_T h##name(MUSASHIM_T a) {                                                      \
    const float x = MUSASHIM_WIDEN(a);                                                                \
    return expression;                                                                                \
  }                                                                                                   \
  MUSASHIM_HD MUSASHIM_T2 h2##name(MUSASHIM_T2 a) { return MUSASHIM_T2(h##name(a.x), h##name(a.y)); } \
  static_assert(true, "takes the semicolon")
MUSASHIM_UNARY(sqrt, MUSASHIM_NARROW(sqrtf(x)));
MUSASHIM_UNARY(rsqrt, MUSASHIM_NARROW_DOUBLE(1.0 / sqrt(double(x))));
MUSASHIM_UNARY(rcp, MUSASHIM_NARROW_DOUBLE(1.0 / double(x)));
MUSASHIM_UNARY(exp, MUSASHIM_NARROW(expf(x)));
MUSASHIM_UNARY(exp2, MUSASHIM_NARROW(exp2f(x)));
MUSASHIM_UNARY(exp10, MUSASHIM_NARROW_DOUBLE(exp2(double(x) * 3.321928094887362347870319)));
MUSASHIM_UNARY(log, MUSASHIM_NARROW(logf(x)));
MUSASHIM_UNARY(log2, MUSASHIM_NARROW(log2f(x)));
MUSASHIM_UNARY(log10, MUSASHIM_NARROW(log10f(x)));
MUSASHIM_UNARY(sin, MUSASHIM_NARROW(sinf(x)));
MUSASHIM_UNARY(cos, MUSASHIM_NARROW(cosf(x)));
MUSASHIM_UNARY(tanh, MUSASHIM_NARROW(tanhf(x)));
/* What the vendor computes approximately is as accurate as the rest here. */
MUSASHIM_UNARY(tanh_approx, MUSASHIM_NARROW(tanhf(x)));
MUSASHIM_UNARY(ceil, MUSASHIM_NARROW(ceilf(x)));
MUSASHIM_UNARY(floor, MUSASHIM_NARROW(floorf(x)));
MUSASHIM_UNARY(trunc, MUSASHIM_NARROW(truncf(x)));
MUSASHIM_UNARY(rint, MUSASHIM_NARROW(rintf(x)));
#undef MUSASHIM_UNARY

/* -- Pairs: element by element -- */
#define MUSASHIM_PAIR1(name, one)                                                         \
  MUSASHIM_HD MUSASHIM_T2 name(MUSASHIM_T2 a) { return MUSASHIM_T2(one(a.x), one(a.y)); } \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_PAIR2(name, one)                              \
  MUSASHIM_HD MUSASHIM_T2 name(MUSASHIM_T2 a, MUSASHIM_T2 b) { \
    return MUSASHIM_T2(one(a.x, b.x), one(a.y, b.y));          \
  }                                                            \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_PAIR3(name, one)                                             \
  MUSASHIM_HD MUSASHIM_T2 name(MUSASHIM_T2 a, MUSASHIM_T2 b, MUSASHIM_T2 c) { \
    return MUSASHIM_T2(one(a.x, b.x, c.x), one(a.y, b.y, c.y));               \
  }                                                                           \
  static_assert(true, "takes the semicolon")
MUSASHIM_PAIR1(__hneg2, __hneg);
MUSASHIM_PAIR1(__habs2, __habs);
MUSASHIM_PAIR2(__hadd2, __hadd);
MUSASHIM_PAIR2(__hsub2, __hsub);
MUSASHIM_PAIR2(__hmul2, __hmul);
MUSASHIM_PAIR2(__h2div, __hdiv);
MUSASHIM_PAIR2(__hadd2_rn, __hadd);
MUSASHIM_PAIR2(__hsub2_rn, __hsub);
MUSASHIM_PAIR2(__hmul2_rn, __hmul);
MUSASHIM_PAIR2(__hadd2_sat, __hadd_sat);
MUSASHIM_PAIR2(__hsub2_sat, __hsub_sat);
MUSASHIM_PAIR2(__hmul2_sat, __hmul_sat);
MUSASHIM_PAIR2(__hmin2, __hmin);
MUSASHIM_PAIR2(__hmax2, __hmax);
MUSASHIM_PAIR2(__hmin2_nan, __hmin_nan);
MUSASHIM_PAIR2(__hmax2_nan, __hmax_nan);
MUSASHIM_PAIR3(__hfma2, __hfma);
MUSASHIM_PAIR3(__hfma2_sat, __hfma_sat);
MUSASHIM_PAIR3(__hfma2_relu, __hfma_relu);
#undef MUSASHIM_PAIR1
#undef MUSASHIM_PAIR2
#undef MUSASHIM_PAIR3
MUSASHIM_HD MUSASHIM_T2 __hisnan2(MUSASHIM_T2 a) {
  return MUSASHIM_T2(MUSASHIM_NARROW(float(__hisnan(a.x))), MUSASHIM_NARROW(float(__hisnan(a.y))));
}

/* Complex numbers as (real, imaginary) pairs: a * b + c in four fused steps. */
MUSASHIM_HD MUSASHIM_T2 __hcmadd(MUSASHIM_T2 a, MUSASHIM_T2 b, MUSASHIM_T2 c) {
  const MUSASHIM_T real = __hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x));
  return MUSASHIM_T2(real, __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* -- Operators, unless the program wants to do without them -- */
#define MUSASHIM_OPERATOR(T, op, function)                                       \
  MUSASHIM_HD T operator op(const T& a, const T& b) { return function(a, b); }   \
  MUSASHIM_HD T& operator op##=(T& a, const T& b) { return a = function(a, b); } \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_COMPARISON(T, op, function)                                      \
  MUSASHIM_HD bool operator op(const T& a, const T& b) { return function(a, b); } \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_STEP(T, op, function, one)                         \
  MUSASHIM_HD T& operator op(T& a) { return a = function(a, one); } \
  MUSASHIM_HD T operator op(T& a, int) {                            \
    const T before = a;                                             \
    a = function(a, one);                                           \
    return before;                                                  \
  }                                                                 \
  static_assert(true, "takes the semicolon")

#ifndef MUSASHIM_NO_OPERATORS
MUSASHIM_OPERATOR(MUSASHIM_T, +, __hadd);
MUSASHIM_OPERATOR(MUSASHIM_T, -, __hsub);
MUSASHIM_OPERATOR(MUSASHIM_T, *, __hmul);
MUSASHIM_OPERATOR(MUSASHIM_T, /, __hdiv);
MUSASHIM_HD MUSASHIM_T operator+(const MUSASHIM_T& a) { return a; }
MUSASHIM_HD MUSASHIM_T operator-(const MUSASHIM_T& a) { return __hneg(a); }
MUSASHIM_STEP(MUSASHIM_T, ++, __hadd, MUSASHIM_NARROW(1.0f));
MUSASHIM_STEP(MUSASHIM_T, --, __hsub, MUSASHIM_NARROW(1.0f));
#endif

#ifndef MUSASHIM_NO_OPERATORS2
#define MUSASHIM_ONES MUSASHIM_T2(MUSASHIM_NARROW(1.0f), MUSASHIM_NARROW(1.0f))
MUSASHIM_OPERATOR(MUSASHIM_T2, +, __hadd2);
MUSASHIM_OPERATOR(MUSASHIM_T2, -, __hsub2);
MUSASHIM_OPERATOR(MUSASHIM_T2, *, __hmul2);
MUSASHIM_OPERATOR(MUSASHIM_T2, /, __h2div);
MUSASHIM_COMPARISON(MUSASHIM_T2, ==, __hbeq2);
MUSASHIM_COMPARISON(MUSASHIM_T2, !=, __hbneu2);
MUSASHIM_COMPARISON(MUSASHIM_T2, <, __hblt2);
MUSASHIM_COMPARISON(MUSASHIM_T2, <=, __hble2);
MUSASHIM_COMPARISON(MUSASHIM_T2, >, __hbgt2);
MUSASHIM_COMPARISON(MUSASHIM_T2, >=, __hbge2);
MUSASHIM_HD MUSASHIM_T2 operator+(const MUSASHIM_T2& a) { return a; }
MUSASHIM_HD MUSASHIM_T2 operator-(const MUSASHIM_T2& a) { return __hneg2(a); }
MUSASHIM_STEP(MUSASHIM_T2, ++, __hadd2, MUSASHIM_ONES);
MUSASHIM_STEP(MUSASHIM_T2, --, __hsub2, MUSASHIM_ONES);
#undef MUSASHIM_ONES
#endif
#undef MUSASHIM_OPERATOR
#undef MUSASHIM_COMPARISON
#undef MUSASHIM_STEP

/* -- The device's own: warps, cached accesses, atomics -- */
#if defined(__MUSACC__)
MUSASHIM_SHUFFLES(MUSASHIM_T);
MUSASHIM_SHUFFLES(MUSASHIM_T2);
MUSASHIM_LOADS_AND_STORES(MUSASHIM_T);
MUSASHIM_LOADS_AND_STORES(MUSASHIM_T2);

MUSASHIM_ATOMIC(atomicAdd, MUSASHIM_T, (MUSASHIM_T * address, MUSASHIM_T value), (address, value),
                return (__musa_atomic_update<MUSASHIM_T, unsigned short>)(address,
                                                                          [value] __device__(MUSASHIM_T old) {
                                                                            return __hadd(old, value);
                                                                          }););
/* Each element is added in a step of its own, as CUDA says. Here both are one step. */
MUSASHIM_ATOMIC(atomicAdd, MUSASHIM_T2, (MUSASHIM_T2 * address, MUSASHIM_T2 value), (address, value),
                return (__musa_atomic_update<MUSASHIM_T2, unsigned int>)(address,
                                                                         [value] __device__(MUSASHIM_T2 old) {
                                                                           return __hadd2(old, value);
                                                                         }););
#endif

#undef MUSASHIM_T
#undef MUSASHIM_T2
#undef MUSASHIM_OTHER
#undef MUSASHIM_RAW
#undef MUSASHIM_RAW2
#undef MUSASHIM_BITS_TO_FLOAT
#undef MUSASHIM_FLOAT_TO_BITS
#undef MUSASHIM_DOUBLE_TO_BITS
#undef MUSASHIM_WIDEN
#undef MUSASHIM_NARROW
#undef MUSASHIM_NARROW_DOUBLE
#undef MUSASHIM_PRODUCT
#undef MUSASHIM_FROM_BITS
#undef MUSASHIM_NO_OPERATORS
#undef MUSASHIM_NO_OPERATORS2
