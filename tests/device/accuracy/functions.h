// What CUDA's mathematical functions are, in MPFR: f(result, arguments).
#pragma once

#include "reference.h"

namespace musashim::device_test::exact {

using Arguments = const mpfr_srcptr*;
constexpr mpfr_rnd_t kNearest = MPFR_RNDN;

#define MUSASHIM_UNARY(name) \
  inline void name(mpfr_ptr r, Arguments x) { mpfr_##name(r, x[0], kNearest); }
MUSASHIM_UNARY(sqrt)
MUSASHIM_UNARY(exp)
MUSASHIM_UNARY(exp2)
MUSASHIM_UNARY(exp10)
MUSASHIM_UNARY(expm1)
MUSASHIM_UNARY(log)
MUSASHIM_UNARY(log2)
MUSASHIM_UNARY(log10)
MUSASHIM_UNARY(log1p)
MUSASHIM_UNARY(sin)
MUSASHIM_UNARY(cos)
MUSASHIM_UNARY(tan)
MUSASHIM_UNARY(sinpi)
MUSASHIM_UNARY(cospi)
MUSASHIM_UNARY(asin)
MUSASHIM_UNARY(acos)
MUSASHIM_UNARY(atan)
MUSASHIM_UNARY(sinh)
MUSASHIM_UNARY(cosh)
MUSASHIM_UNARY(tanh)
MUSASHIM_UNARY(asinh)
MUSASHIM_UNARY(acosh)
MUSASHIM_UNARY(atanh)
MUSASHIM_UNARY(cbrt)
MUSASHIM_UNARY(erf)
MUSASHIM_UNARY(erfc)
MUSASHIM_UNARY(j0)
MUSASHIM_UNARY(j1)
MUSASHIM_UNARY(y0)
MUSASHIM_UNARY(y1)
#undef MUSASHIM_UNARY

inline void absolute(mpfr_ptr r, Arguments x) { mpfr_abs(r, x[0], kNearest); }
inline void rint(mpfr_ptr r, Arguments x) { mpfr_rint(r, x[0], kNearest); }
inline void round(mpfr_ptr r, Arguments x) { mpfr_round(r, x[0]); }
inline void trunc(mpfr_ptr r, Arguments x) { mpfr_trunc(r, x[0]); }
inline void ceil(mpfr_ptr r, Arguments x) { mpfr_ceil(r, x[0]); }
inline void floor(mpfr_ptr r, Arguments x) { mpfr_floor(r, x[0]); }
inline void logb(mpfr_ptr r, Arguments x) {
  if (mpfr_regular_p(x[0])) {
    mpfr_set_si(r, mpfr_get_exp(x[0]) - 1, kNearest);
  } else if (mpfr_zero_p(x[0])) {
    mpfr_set_inf(r, -1);
  } else {
    mpfr_abs(r, x[0], kNearest);
  }
}
inline void fmod(mpfr_ptr r, Arguments x) { mpfr_fmod(r, x[0], x[1], kNearest); }
inline void remainder(mpfr_ptr r, Arguments x) { mpfr_remainder(r, x[0], x[1], kNearest); }
inline void fdim(mpfr_ptr r, Arguments x) { mpfr_dim(r, x[0], x[1], kNearest); }
inline void fmin(mpfr_ptr r, Arguments x) { mpfr_min(r, x[0], x[1], kNearest); }
inline void fmax(mpfr_ptr r, Arguments x) { mpfr_max(r, x[0], x[1], kNearest); }
inline void copysign(mpfr_ptr r, Arguments x) { mpfr_copysign(r, x[0], x[1], kNearest); }
inline void fma(mpfr_ptr r, Arguments x) { mpfr_fma(r, x[0], x[1], x[2], kNearest); }
inline void pow(mpfr_ptr r, Arguments x) { mpfr_pow(r, x[0], x[1], kNearest); }
inline void atan2(mpfr_ptr r, Arguments x) { mpfr_atan2(r, x[0], x[1], kNearest); }
inline void tgamma(mpfr_ptr r, Arguments x) { mpfr_gamma(r, x[0], kNearest); }
inline void lgamma(mpfr_ptr r, Arguments x) {
  int sign;
  mpfr_lgamma(r, &sign, x[0], kNearest);
}

// 1 / r; the reciprocal of a zero has its sign.
inline void invert(mpfr_ptr r) { mpfr_ui_div(r, 1, r, kNearest); }
/* MPFR's own gives +inf for -0; CUDA documents -inf. */
inline void rsqrt(mpfr_ptr r, Arguments x) {
  mpfr_sqrt(r, x[0], kNearest);
  invert(r);
}
inline void rcbrt(mpfr_ptr r, Arguments x) {
  mpfr_cbrt(r, x[0], kNearest);
  invert(r);
}

// The Euclidean norm; an infinite coordinate wins over a NaN.
template <int Count>
void norm(mpfr_ptr r, Arguments x) {
  Number square;
  bool infinite = false;
  mpfr_set_zero(r, 1);
  for (int i = 0; i < Count; ++i) {
    infinite = infinite || mpfr_inf_p(x[i]);
    mpfr_sqr(square, x[i], kNearest);
    mpfr_add(r, r, square, kNearest);
  }
  mpfr_sqrt(r, r, kNearest);
  if (infinite) mpfr_set_inf(r, 1);
}
template <int Count>
void rnorm(mpfr_ptr r, Arguments x) {
  norm<Count>(r, x);
  invert(r);
}

// e^(x^2) erfc(x); beyond the reach of erfc its asymptotic value, whose next term is x^-2 / 2.
inline void erfcx(mpfr_ptr r, Arguments x) {
  if (mpfr_nan_p(x[0])) return mpfr_set_nan(r);
  if (mpfr_cmp_d(x[0], 1e30) > 0) {
    mpfr_const_pi(r, kNearest);
    mpfr_sqrt(r, r, kNearest);
    mpfr_mul(r, r, x[0], kNearest);
    return invert(r);
  }
  if (mpfr_cmp_d(x[0], 1e4) > 0) {  // the continued fraction, from far enough out
    Number term;
    mpfr_set(r, x[0], kNearest);
    for (int k = 60; k > 0; --k) {
      mpfr_set_d(term, 0.5 * k, kNearest);
      mpfr_div(term, term, r, kNearest);
      mpfr_add(r, term, x[0], kNearest);
    }
    mpfr_const_pi(term, kNearest);
    mpfr_sqrt(term, term, kNearest);
    mpfr_mul(r, r, term, kNearest);
    return invert(r);
  }
  Number scale;
  mpfr_sqr(scale, x[0], kNearest);
  mpfr_exp(scale, scale, kNearest);
  mpfr_erfc(r, x[0], kNearest);
  mpfr_mul(r, r, scale, kNearest);
}
inline void normcdf(mpfr_ptr r, Arguments x) {
  Number t;
  mpfr_set_d(t, 0.5, kNearest);
  mpfr_sqrt(t, t, kNearest);
  mpfr_mul(t, t, x[0], kNearest);
  mpfr_neg(t, t, kNearest);
  mpfr_erfc(r, t, kNearest);
  mpfr_div_ui(r, r, 2, kNearest);
}

// Solves erfc(x) = y, 0 < y < 2, by Newton's method on log(erfc), from x = 0 outwards: it is concave, so that
// every start converges. Symmetric for y > 1.
inline void solveErfc(mpfr_ptr x, mpfr_srcptr y) {
  Number value, slope, logY, step;
  const bool mirrored = mpfr_cmp_ui(y, 1) > 0;
  Number target;
  if (mirrored) {
    mpfr_ui_sub(target, 2, y, kNearest);
  } else {
    mpfr_set(target, y, kNearest);
  }
  mpfr_log(logY, target, kNearest);
  mpfr_neg(x, logY, kNearest);  // sqrt(-log y) is above the solution
  mpfr_sqrt(x, x, kNearest);
  for (int i = 0; i < 60; ++i) {
    mpfr_erfc(value, x, kNearest);
    mpfr_sqr(slope, x, kNearest);  // erfc' = -2 / sqrt(pi) e^(-x^2)
    mpfr_neg(slope, slope, kNearest);
    mpfr_exp(slope, slope, kNearest);
    mpfr_mul_ui(slope, slope, 2, kNearest);
    mpfr_const_pi(step, kNearest);
    mpfr_sqrt(step, step, kNearest);
    mpfr_div(slope, slope, step, kNearest);
    mpfr_div(slope, slope, value, kNearest);  // -(log erfc)'
    mpfr_log(step, value, kNearest);
    mpfr_sub(step, step, logY, kNearest);
    mpfr_div(step, step, slope, kNearest);
    mpfr_add(x, x, step, kNearest);
    if (mpfr_zero_p(step) || mpfr_get_exp(step) < mpfr_get_exp(x) - Number::kDigits / 2) break;
  }
  if (mirrored) mpfr_neg(x, x, kNearest);
}
inline void erfcinvOf(mpfr_ptr r, mpfr_srcptr y) {
  const bool inside = mpfr_cmp_ui(y, 0) > 0 && mpfr_cmp_ui(y, 2) < 0;
  if (mpfr_nan_p(y) || (!inside && !mpfr_zero_p(y) && mpfr_cmp_ui(y, 2) != 0)) return mpfr_set_nan(r);
  if (mpfr_zero_p(y)) return mpfr_set_inf(r, 1);
  if (!inside) return mpfr_set_inf(r, -1);
  if (mpfr_cmp_ui(y, 1) == 0) return mpfr_set_zero(r, 1);
  solveErfc(r, y);
}
inline void erfcinv(mpfr_ptr r, Arguments y) { erfcinvOf(r, y[0]); }
// 1 - y needs room for the smallest double beside 1.
inline void erfinv(mpfr_ptr r, Arguments y) {
  if (mpfr_zero_p(y[0])) {
    mpfr_set(r, y[0], kNearest);
    return;
  }
  if (mpfr_regular_p(y[0]) && mpfr_get_exp(y[0]) < -60) {  // erfinv(y) = sqrt(pi) / 2 y (1 + O(y^2))
    mpfr_const_pi(r, kNearest);
    mpfr_sqrt(r, r, kNearest);
    mpfr_div_ui(r, r, 2, kNearest);
    mpfr_mul(r, r, y[0], kNearest);
    return;
  }
  Number complement;
  mpfr_ui_sub(complement, 1, y[0], kNearest);
  erfcinvOf(r, complement);
}
inline void normcdfinv(mpfr_ptr r, Arguments y) {
  Number twice, root;
  mpfr_mul_ui(twice, y[0], 2, kNearest);
  erfcinvOf(r, twice);
  mpfr_sqrt_ui(root, 2, kNearest);
  mpfr_mul(r, r, root, kNearest);
  if (!mpfr_zero_p(r)) mpfr_neg(r, r, kNearest);
}

// The series sum over k of (x/2)^(2k + Order) / (k! (k + Order)!): all terms have one sign.
template <int Order>
void besselI(mpfr_ptr r, Arguments x) {
  if (!mpfr_number_p(x[0])) {
    mpfr_set(r, x[0], kNearest);
    if (Order == 0) mpfr_abs(r, r, kNearest);
    return;
  }
  Number quarter, term;
  mpfr_sqr(quarter, x[0], kNearest);
  mpfr_div_ui(quarter, quarter, 4, kNearest);
  mpfr_set_ui(term, 1, kNearest);
  if (Order == 1) mpfr_div_ui(term, x[0], 2, kNearest);
  mpfr_set(r, term, kNearest);
  for (unsigned long k = 1; k < 4000 && !mpfr_zero_p(term); ++k) {
    mpfr_mul(term, term, quarter, kNearest);
    mpfr_div_ui(term, term, k * (k + Order), kNearest);
    mpfr_add(r, r, term, kNearest);
    if (mpfr_zero_p(term) || mpfr_get_exp(term) < mpfr_get_exp(r) - Number::kDigits) break;
  }
}

}  // namespace musashim::device_test::exact
