/* min and max at global scope, with the mixed integer forms CUDA has: the unsigned
 * type wins, then the longer one. Floating forms ignore a NaN, as fmin and fmax do. */
#ifndef MUSASHIM_CRT_MIN_MAX_H
#define MUSASHIM_CRT_MIN_MAX_H

#include "host_defines.h"

#define MUSASHIM_MIN_MAX(R, A, B) \
  MUSASHIM_HD R min(A a, B b) {   \
    const R x = (R)a, y = (R)b;   \
    return x < y ? x : y;         \
  }                               \
  MUSASHIM_HD R max(A a, B b) {   \
    const R x = (R)a, y = (R)b;   \
    return x < y ? y : x;         \
  }                               \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_MIN_MAX_INTEGER(S, U) \
  MUSASHIM_MIN_MAX(S, S, S);           \
  MUSASHIM_MIN_MAX(U, U, U);           \
  MUSASHIM_MIN_MAX(U, S, U);           \
  MUSASHIM_MIN_MAX(U, U, S)

MUSASHIM_MIN_MAX_INTEGER(int, unsigned int);
MUSASHIM_MIN_MAX_INTEGER(long, unsigned long);
MUSASHIM_MIN_MAX_INTEGER(long long, unsigned long long);
#undef MUSASHIM_MIN_MAX_INTEGER
#undef MUSASHIM_MIN_MAX

#define MUSASHIM_MIN_MAX_FLOATING(R, A, B, suffix)                     \
  MUSASHIM_HD R min(A a, B b) { return __builtin_fmin##suffix(a, b); } \
  MUSASHIM_HD R max(A a, B b) { return __builtin_fmax##suffix(a, b); } \
  static_assert(true, "takes the semicolon")
MUSASHIM_MIN_MAX_FLOATING(float, float, float, f);
MUSASHIM_MIN_MAX_FLOATING(double, double, double, );
MUSASHIM_MIN_MAX_FLOATING(double, float, double, );
MUSASHIM_MIN_MAX_FLOATING(double, double, float, );
#undef MUSASHIM_MIN_MAX_FLOATING

MUSASHIM_D unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
MUSASHIM_D unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
MUSASHIM_D long long llmin(long long a, long long b) { return min(a, b); }
MUSASHIM_D long long llmax(long long a, long long b) { return max(a, b); }
MUSASHIM_D unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
MUSASHIM_D unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

#endif
