/* <math.h> and <cmath> as device code sees them.
 *
 * Two kinds of names are taken from the C library on the way. It declares a twin with
 * two leading underscores for every function of math.h, although no program can link
 * against it: eleven of them are CUDA intrinsics, which device code has as functions of
 * its own. And in the device pass the hottest float functions are those of
 * vector_math.h, under all names that C and C++ give them, and seven functions that the C
 * library computes less accurately than CUDA are those of math_functions.h.
 */
#ifndef MUSASHIM_CRT_MATH_HEADER_H
#define MUSASHIM_CRT_MATH_HEADER_H

#include "host_defines.h"

#define __cosf __musa_hidden_cosf
#define __exp10f __musa_hidden_exp10f
#define __expf __musa_hidden_expf
#define __log10f __musa_hidden_log10f
#define __log2f __musa_hidden_log2f
#define __logf __musa_hidden_logf
#define __powf __musa_hidden_powf
#define __sincosf __musa_hidden_sincosf
#define __sinf __musa_hidden_sinf
#define __tanf __musa_hidden_tanf
#define __tanhf __musa_hidden_tanhf
#if defined(MUSASHIM_DEVICE_COMPILER)
#define cbrt __musa_libm_cbrt
#define exp10 __musa_libm_exp10
#define j0 __musa_libm_j0
#define j1 __musa_libm_j1
#define y0 __musa_libm_y0
#define y1 __musa_libm_y1
#define tanh __musa_libm_tanh
#define cosf __musa_libm_cosf
#define erff __musa_libm_erff
#define exp10f __musa_libm_exp10f
#define exp2f __musa_libm_exp2f
#define expf __musa_libm_expf
#define log10f __musa_libm_log10f
#define log2f __musa_libm_log2f
#define logf __musa_libm_logf
#define powf __musa_libm_powf
#define sincosf __musa_libm_sincosf
#define sinf __musa_libm_sinf
#define tanhf __musa_libm_tanhf
/* glibc makes these from the names, for its own vector functions; and the float and long double
 * forms of renamed functions get names that are declared again below. */
#define __DECL_SIMD___musa_libm_cbrt
#define __DECL_SIMD___musa_libm_cbrtf
#define __DECL_SIMD___musa_libm_cbrtl
#define __DECL_SIMD___musa_libm_cbrtf32
#define __DECL_SIMD___musa_libm_cbrtf64
#define __DECL_SIMD___musa_libm_cbrtf128
#define __DECL_SIMD___musa_libm_cbrtf32x
#define __DECL_SIMD___musa_libm_cbrtf64x
#define __DECL_SIMD___musa_libm_exp10
#define __DECL_SIMD___musa_libm_exp10l
#define __DECL_SIMD___musa_libm_exp10f32
#define __DECL_SIMD___musa_libm_exp10f64
#define __DECL_SIMD___musa_libm_exp10f128
#define __DECL_SIMD___musa_libm_exp10f32x
#define __DECL_SIMD___musa_libm_exp10f64x
#define __DECL_SIMD___musa_libm_tanh
#define __DECL_SIMD___musa_libm_tanhl
#define __DECL_SIMD___musa_libm_tanhf32
#define __DECL_SIMD___musa_libm_tanhf64
#define __DECL_SIMD___musa_libm_tanhf128
#define __DECL_SIMD___musa_libm_tanhf32x
#define __DECL_SIMD___musa_libm_tanhf64x
#define __DECL_SIMD___musa_libm_cosf
#define __DECL_SIMD___musa_libm_erff
#define __DECL_SIMD___musa_libm_exp10f
#define __DECL_SIMD___musa_libm_exp2f
#define __DECL_SIMD___musa_libm_expf
#define __DECL_SIMD___musa_libm_log10f
#define __DECL_SIMD___musa_libm_log2f
#define __DECL_SIMD___musa_libm_logf
#define __DECL_SIMD___musa_libm_powf
#define __DECL_SIMD___musa_libm_sincosf
#define __DECL_SIMD___musa_libm_sinf
#define __DECL_SIMD___musa_libm_tanhf
#endif

/* The C library's own header, not libstdc++'s wrapper around it. */
#pragma push_macro("_GLIBCXX_INCLUDE_NEXT_C_HEADERS")
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#pragma pop_macro("_GLIBCXX_INCLUDE_NEXT_C_HEADERS")

#undef __cosf
#undef __exp10f
#undef __expf
#undef __log10f
#undef __log2f
#undef __logf
#undef __powf
#undef __sincosf
#undef __sinf
#undef __tanf
#undef __tanhf

#if defined(MUSASHIM_DEVICE_COMPILER)
#undef cbrt
#undef exp10
#undef j0
#undef j1
#undef y0
#undef y1
#undef tanh
#undef cosf
#undef erff
#undef exp10f
#undef exp2f
#undef expf
#undef log10f
#undef log2f
#undef logf
#undef powf
#undef sincosf
#undef sinf
#undef tanhf

/* The C library's functions that ours build on, and ours (math_functions.h). */
#define MUSASHIM_LIBM(name) __musa_libm_##name
extern "C" {
double __musa_libm_cbrt(double) noexcept __asm__("cbrt");
float cbrtf(float) noexcept;
double __musa_libm_j0(double) noexcept __asm__("j0");
float j0f(float) noexcept;
double __musa_libm_j1(double) noexcept __asm__("j1");
float j1f(float) noexcept;
double __musa_libm_y0(double) noexcept __asm__("y0");
float y0f(float) noexcept;
double __musa_libm_y1(double) noexcept __asm__("y1");
float y1f(float) noexcept;
long double cbrtl(long double) noexcept;
long double tanhl(long double) noexcept;
}
inline __host__ __device__ double cbrt(double x);
inline __host__ __device__ double exp10(double x);
inline __host__ __device__ double j0(double x);
inline __host__ __device__ double j1(double x);
inline __host__ __device__ double y0(double x);
inline __host__ __device__ double y1(double x);
inline __host__ __device__ double tanh(double x);

#include "vector_math.h"
MUSASHIM_HD float cosf(float x) { return __musa_cosf(x); }
MUSASHIM_HD float erff(float x) { return __musa_erff(x); }
MUSASHIM_HD float exp10f(float x) { return __musa_exp10f(x); }
MUSASHIM_HD float exp2f(float x) { return __musa_exp2f(x); }
MUSASHIM_HD float expf(float x) { return __musa_expf(x); }
MUSASHIM_HD float log10f(float x) { return __musa_log10f(x); }
MUSASHIM_HD float log2f(float x) { return __musa_log2f(x); }
MUSASHIM_HD float logf(float x) { return __musa_logf(x); }
MUSASHIM_HD float powf(float x, float y) { return __musa_powf(x, y); }
MUSASHIM_HD void sincosf(float x, float* sine, float* cosine) { __musa_sincosf(x, sine, cosine); }
MUSASHIM_HD float sinf(float x) { return __musa_sinf(x); }
MUSASHIM_HD float tanhf(float x) { return __musa_tanhf(x); }

/* What libstdc++'s overloads for float call. */
#define __builtin_cosf __musa_cosf
#define __builtin_erff __musa_erff
#define __builtin_exp2f __musa_exp2f
#define __builtin_expf __musa_expf
#define __builtin_log10f __musa_log10f
#define __builtin_log2f __musa_log2f
#define __builtin_logf __musa_logf
#define __builtin_powf __musa_powf
#define __builtin_sinf __musa_sinf
#define __builtin_tanhf __musa_tanhf
#else
#define MUSASHIM_LIBM(name) ::name
#endif

#include <cmath>

#if defined(MUSASHIM_DEVICE_COMPILER)
#undef __builtin_cosf
#undef __builtin_erff
#undef __builtin_exp2f
#undef __builtin_expf
#undef __builtin_log10f
#undef __builtin_log2f
#undef __builtin_logf
#undef __builtin_powf
#undef __builtin_sinf
#undef __builtin_tanhf
#endif

#include <math.h>

#endif
