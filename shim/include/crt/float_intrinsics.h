/* Floating-point intrinsics: round-to-nearest arithmetic that is never contracted, and
 * the fast approximations. The latter are at least as accurate as CUDA documents them;
 * they are not bit-equal to any GPU's. */
#ifndef MUSASHIM_CRT_FLOAT_INTRINSICS_H
#define MUSASHIM_CRT_FLOAT_INTRINSICS_H

#include "host_defines.h"
#include "standard_headers.h"

/* Bodies that must not become part of a fused multiply-add. */
#if defined(__clang__)
#define MUSASHIM_NO_CONTRACTION _Pragma("clang fp contract(off)")
#else
#define MUSASHIM_NO_CONTRACTION
#endif

#define MUSASHIM_NEAREST(T, p, suffix)                                           \
  MUSASHIM_D T __##p##add_rn(T x, T y) { MUSASHIM_NO_CONTRACTION return x + y; } \
  MUSASHIM_D T __##p##sub_rn(T x, T y) { MUSASHIM_NO_CONTRACTION return x - y; } \
  MUSASHIM_D T __##p##mul_rn(T x, T y) { MUSASHIM_NO_CONTRACTION return x * y; } \
  MUSASHIM_D T __##p##div_rn(T x, T y) { return x / y; }                         \
  MUSASHIM_D T __##p##rcp_rn(T x) { return T(1) / x; }                           \
  MUSASHIM_D T __##p##sqrt_rn(T x) { return __builtin_sqrt##suffix(x); }         \
  static_assert(true, "takes the semicolon")
MUSASHIM_NEAREST(float, f, f);
MUSASHIM_NEAREST(double, d, );
#undef MUSASHIM_NEAREST

MUSASHIM_D float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
/* The _ieee forms keep subnormal numbers whatever the flags say; so do ours by default. */
MUSASHIM_D float __fmaf_ieee_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
MUSASHIM_D double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
MUSASHIM_D float __frsqrt_rn(float x) { return float(1.0 / __builtin_sqrt(double(x))); }

MUSASHIM_D float __fdividef(float x, float y) { return x / y; }
MUSASHIM_D float __expf(float x) { return expf(x); }
MUSASHIM_D float __exp10f(float x) { return float(exp2(double(x) * 3.321928094887362347870319)); }
MUSASHIM_D float __logf(float x) { return logf(x); }
MUSASHIM_D float __log2f(float x) { return log2f(x); }
MUSASHIM_D float __log10f(float x) { return log10f(x); }
MUSASHIM_D float __powf(float x, float y) { return powf(x, y); }
MUSASHIM_D float __sinf(float x) { return sinf(x); }
MUSASHIM_D float __cosf(float x) { return cosf(x); }
MUSASHIM_D float __tanf(float x) { return tanf(x); }
MUSASHIM_D void __sincosf(float x, float* s, float* c) {
  *s = sinf(x);
  *c = cosf(x);
}
MUSASHIM_D float __tanhf(float x) { return tanhf(x); }

/* Clamps to [0, 1]; a NaN gives 0. */
MUSASHIM_D float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

#undef MUSASHIM_NO_CONTRACTION

#endif
