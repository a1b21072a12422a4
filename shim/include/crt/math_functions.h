/* The math functions that CUDA has beyond C's: for host and device, in double and in
 * float. The float forms compute in double where that is what accuracy costs.
 */
#ifndef MUSASHIM_CRT_MATH_FUNCTIONS_H
#define MUSASHIM_CRT_MATH_FUNCTIONS_H

#include "bessel_functions.h"
#include "host_defines.h"
#include "standard_headers.h"

/* Not forced inline: some are long. */
#define MUSASHIM_MATH inline __host__ __device__

/* -- Powers and roots -- */
MUSASHIM_MATH double rsqrt(double x) { return 1.0 / sqrt(x); }
MUSASHIM_MATH float rsqrtf(float x) { return 1.0f / sqrtf(x); }
/* One Newton step makes up for the rounding of cbrt and of the quotient. */
MUSASHIM_MATH double rcbrt(double x) {
  const double r = 1.0 / MUSASHIM_LIBM(cbrt)(x);
  if (!(fabs(r) < __builtin_huge_val()) || r == 0.0) return r;
  const double square = r * r, square_error = fma(r, r, -square);
  const double product = x * r, product_error = fma(x, r, -product);
  const double rest = fma(-product, square, 1.0) - (product * square_error + product_error * square);
  return fma(r, rest * (1.0 / 3.0), r);
}
/* The C library's, with one Newton step whose residue is exact enough. Results are about
 * 2^+-340, so that only subnormal arguments need scaling. */
MUSASHIM_MATH double __musa_cbrt(double x) {
  const bool tiny = fabs(x) < 1.0e-280;
  const double scaled = tiny ? x * 1.2379400392853803e27 /* 2^90 */ : x;
  const double c = MUSASHIM_LIBM(cbrt)(scaled);
  if (!(fabs(c) < __builtin_huge_val()) || c == 0.0) return c;
  const double square = c * c, square_error = fma(c, c, -square);
  const double rest = fma(square, c, -scaled) + square_error * c;
  const double better = c - rest / (3.0 * square);
  return tiny ? better * 9.313225746154785e-10 /* 2^-30 */ : better;
}
/* The C library's pow is nearly correctly rounded, its exp10 not; nor its tanh but in
 * extended precision. */
MUSASHIM_MATH double __musa_exp10(double x) { return pow(10.0, x); }
MUSASHIM_MATH double __musa_tanh(double x) { return double(tanhl((long double)x)); }
MUSASHIM_MATH float rcbrtf(float x) { return float(1.0 / MUSASHIM_LIBM(cbrt)(double(x))); }
MUSASHIM_MATH double fdivide(double x, double y) { return x / y; }
MUSASHIM_MATH float fdividef(float x, float y) { return x / y; }

/* -- Trigonometry in units of pi -- */
/* sin(pi x): the reduction to [-1/4, 1/4] is exact, and integers give a signed zero. */
MUSASHIM_MATH double __musa_sincospi(double x, double* cosine) {
  if (!(fabs(x) <= 1.7976931348623157e308)) return *cosine = x - x; /* NaN */
  const double pi = 3.14159265358979323846;
  const double turn = fmod(x, 2.0);
  const double quadrant = rint(2.0 * turn);
  const double rest = (turn - 0.5 * quadrant) * pi;
  const double s = sin(rest), c = cos(rest);
  switch (int(quadrant) & 3) {
    case 0:
      *cosine = c;
      return turn == 0.0 || rest == 0.0 ? copysign(0.0, x) : s;
    case 1:
      *cosine = rest == 0.0 ? 0.0 : -s;
      return c;
    case 2:
      *cosine = -c;
      return rest == 0.0 ? copysign(0.0, x) : -s;
    default:
      *cosine = rest == 0.0 ? 0.0 : s;
      return -c;
  }
}
MUSASHIM_MATH double sinpi(double x) {
  double c;
  return __musa_sincospi(x, &c);
}
MUSASHIM_MATH double cospi(double x) {
  double c;
  __musa_sincospi(x, &c);
  return c;
}
MUSASHIM_MATH void sincospi(double x, double* s, double* c) { *s = __musa_sincospi(x, c); }
MUSASHIM_MATH float sinpif(float x) { return float(sinpi(double(x))); }
MUSASHIM_MATH float cospif(float x) { return float(cospi(double(x))); }
MUSASHIM_MATH void sincospif(float x, float* s, float* c) {
  double cosine;
  *s = float(__musa_sincospi(double(x), &cosine));
  *c = float(cosine);
}

/* -- Norms: scaled by a power of two, so that nothing overflows on the way, and in extended
 * precision -- */
MUSASHIM_MATH long double __musa_scaled_norm(const double* values, int count, int* exponent) {
  double largest = 0.0;
  bool infinite = false, nan = false;
  for (int i = 0; i < count; ++i) {
    infinite |= fabs(values[i]) > 1.7976931348623157e308;
    nan |= values[i] != values[i];
    largest = fabs(values[i]) > largest ? fabs(values[i]) : largest;
  }
  *exponent = 0;
  if (infinite || nan || largest == 0.0)
    return infinite ? __builtin_huge_val() : nan ? __builtin_nan("") : 0.0;
  frexp(largest, exponent);
  long double sum = 0.0L;
  for (int i = 0; i < count; ++i) {
    const long double scaled = ldexp(values[i], -*exponent);
    sum += scaled * scaled;
  }
  return sqrtl(sum);
}
MUSASHIM_MATH double norm(int count, const double* values) {
  int exponent;
  const long double scaled = __musa_scaled_norm(values, count, &exponent);
  return double(ldexpl(scaled, exponent));
}
MUSASHIM_MATH double rnorm(int count, const double* values) {
  int exponent;
  const long double scaled = __musa_scaled_norm(values, count, &exponent);
  return double(ldexpl(1.0L / scaled, -exponent));
}
MUSASHIM_MATH double norm3d(double a, double b, double c) {
  const double v[] = {a, b, c};
  return norm(3, v);
}
MUSASHIM_MATH double norm4d(double a, double b, double c, double d) {
  const double v[] = {a, b, c, d};
  return norm(4, v);
}
MUSASHIM_MATH double rnorm3d(double a, double b, double c) {
  const double v[] = {a, b, c};
  return rnorm(3, v);
}
MUSASHIM_MATH double rnorm4d(double a, double b, double c, double d) {
  const double v[] = {a, b, c, d};
  return rnorm(4, v);
}
MUSASHIM_MATH double rhypot(double a, double b) {
  const double v[] = {a, b};
  return rnorm(2, v);
}
/* Squares of floats and their sums have room in a double. */
MUSASHIM_MATH float norm3df(float a, float b, float c) { return float(norm3d(a, b, c)); }
MUSASHIM_MATH float norm4df(float a, float b, float c, float d) { return float(norm4d(a, b, c, d)); }
MUSASHIM_MATH float rnorm3df(float a, float b, float c) { return float(rnorm3d(a, b, c)); }
MUSASHIM_MATH float rnorm4df(float a, float b, float c, float d) { return float(rnorm4d(a, b, c, d)); }
MUSASHIM_MATH float rhypotf(float a, float b) { return float(rhypot(a, b)); }
MUSASHIM_MATH float normf(int count, const float* values) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum = fma(double(values[i]), double(values[i]), sum);
  return float(sqrt(sum));
}
MUSASHIM_MATH float rnormf(int count, const float* values) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum = fma(double(values[i]), double(values[i]), sum);
  return float(1.0 / sqrt(sum));
}

/* -- The error function's relatives -- */
/* exp(x^2) erfc(x). */
MUSASHIM_MATH double erfcx(double x) {
  if (x < 25.0) {
    const double square = x * x, tail = fma(x, x, -square);
    const double scale = exp(square);
    return scale > 1.7976931348623157e308 ? scale : erfc(x) * fma(scale, tail, scale);
  }
  /* Continued fraction 1 / (sqrt(pi) (x + (1/2)/(x + 1/(x + (3/2)/(x + ...))))). */
  double fraction = x;
  for (int k = 8; k > 0; --k) fraction = x + 0.5 * k / fraction;
  return 0.56418958354775628694807945156077 / fraction;
}
MUSASHIM_MATH float erfcxf(float x) { return float(erfcx(double(x))); }

/* 1/2 erfc(-x / sqrt(2)); the quotient's rounding error is worth a correction, because
 * erfc magnifies it by x^2. */
MUSASHIM_MATH double normcdf(double x) {
  const double high = -0.70710678118654752440, low = 4.8336466567264567e-17;
  const double t = x * high;
  const double error = fma(x, high, -t) + x * low;
  const double value = 0.5 * erfc(t);
  if (!(fabs(x) < 39.0)) return value;
  return value - 0.56418958354775628695 * exp(-t * t) * error;
}
MUSASHIM_MATH float normcdff(float x) { return float(normcdf(double(x))); }

/* The x with log(erfc(x)) == log_y, for y = exp(log_y) <= 1/2: Newton's method from
 * below in the logarithm, which is concave, so that it converges for every y. */
MUSASHIM_MATH double __musa_erfc_inverse_tail(double y) {
  const double log_y = log(y);
  double x = sqrt(-log_y);
  for (int i = 0; i < 40; ++i) {
    /* d/dx log(erfc(x)) = -2 / (sqrt(pi) erfcx(x)), log(erfc(x)) = log(erfcx(x)) - x^2 */
    const double scaled = erfcx(x);
    const double error = (log(scaled) - log_y) - x * x;
    const double step = error * scaled * 0.88622692545275801365;
    x += step;
    if (fabs(step) <= 1.0e-16 * x) break;
  }
  return x;
}
MUSASHIM_MATH double erfinv(double y) {
  const double magnitude = fabs(y);
  if (!(magnitude < 1.0)) return magnitude == 1.0 ? y * __builtin_huge_val() : __builtin_nan("");
  double x;
  if (magnitude > 0.5) {
    x = __musa_erfc_inverse_tail(1.0 - magnitude);
  } else {
    x = 0.88622692545275801365 * magnitude; /* sqrt(pi) / 2 */
    for (int i = 0; i < 8; ++i) {
      const double step = (erf(x) - magnitude) * 0.88622692545275801365 * exp(x * x);
      x -= step / (1.0 + x * step);
      if (fabs(step) <= 1.0e-17 * x) break;
    }
  }
  return copysign(x, y);
}
MUSASHIM_MATH double erfcinv(double y) {
  if (!(y > 0.0 && y < 2.0)) {
    return y == 0.0 ? __builtin_huge_val() : y == 2.0 ? -__builtin_huge_val() : __builtin_nan("");
  }
  if (y < 0.5) return __musa_erfc_inverse_tail(y);
  if (y > 1.5) return -__musa_erfc_inverse_tail(2.0 - y);
  return erfinv(1.0 - y);
}
/* The difference makes the zero a positive one. */
MUSASHIM_MATH double normcdfinv(double y) { return 0.0 - 1.41421356237309504880 * erfcinv(2.0 * y); }
MUSASHIM_MATH float erfinvf(float y) { return float(erfinv(double(y))); }
MUSASHIM_MATH float erfcinvf(float y) { return float(erfcinv(double(y))); }
MUSASHIM_MATH float normcdfinvf(float y) { return float(normcdfinv(double(y))); }

/* -- Modified Bessel functions of the first kind -- */
MUSASHIM_MATH double cyl_bessel_i0(double x) { return __musa_bessel_i(0, x); }
MUSASHIM_MATH double cyl_bessel_i1(double x) { return __musa_bessel_i(1, x); }
MUSASHIM_MATH float cyl_bessel_i0f(float x) { return float(cyl_bessel_i0(double(x))); }
MUSASHIM_MATH float cyl_bessel_i1f(float x) { return float(cyl_bessel_i1(double(x))); }

/* -- Overloads for float, as C++ has them for C's functions -- */
MUSASHIM_MATH float rsqrt(float x) { return rsqrtf(x); }
MUSASHIM_MATH float rcbrt(float x) { return rcbrtf(x); }
MUSASHIM_MATH float sinpi(float x) { return sinpif(x); }
MUSASHIM_MATH float cospi(float x) { return cospif(x); }
MUSASHIM_MATH void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
MUSASHIM_MATH float rhypot(float a, float b) { return rhypotf(a, b); }
MUSASHIM_MATH float norm3d(float a, float b, float c) { return norm3df(a, b, c); }
MUSASHIM_MATH float norm4d(float a, float b, float c, float d) { return norm4df(a, b, c, d); }
MUSASHIM_MATH float rnorm3d(float a, float b, float c) { return rnorm3df(a, b, c); }
MUSASHIM_MATH float rnorm4d(float a, float b, float c, float d) { return rnorm4df(a, b, c, d); }
MUSASHIM_MATH float erfinv(float y) { return erfinvf(y); }
MUSASHIM_MATH float erfcinv(float y) { return erfcinvf(y); }
MUSASHIM_MATH float erfcx(float x) { return erfcxf(x); }
MUSASHIM_MATH float normcdf(float x) { return normcdff(x); }
MUSASHIM_MATH float normcdfinv(float y) { return normcdfinvf(y); }
MUSASHIM_MATH float fdivide(float x, float y) { return fdividef(x, y); }
MUSASHIM_MATH float norm(int count, const float* values) { return normf(count, values); }
MUSASHIM_MATH float rnorm(int count, const float* values) { return rnormf(count, values); }
MUSASHIM_MATH float j0(float x) { return j0f(x); }
MUSASHIM_MATH float j1(float x) { return j1f(x); }
MUSASHIM_MATH float jn(int n, float x) { return jnf(n, x); }
MUSASHIM_MATH float y0(float x) { return y0f(x); }
MUSASHIM_MATH float y1(float x) { return y1f(x); }
MUSASHIM_MATH float yn(int n, float x) { return ynf(n, x); }
MUSASHIM_MATH float cyl_bessel_i0(float x) { return cyl_bessel_i0f(x); }
MUSASHIM_MATH float cyl_bessel_i1(float x) { return cyl_bessel_i1f(x); }
MUSASHIM_MATH float exp10(float x) { return exp10f(x); }
MUSASHIM_MATH void sincos(float x, float* s, float* c) { sincosf(x, s, c); }

#if defined(MUSASHIM_DEVICE_COMPILER)
MUSASHIM_MATH double cbrt(double x) { return __musa_cbrt(x); }
MUSASHIM_MATH double exp10(double x) { return __musa_exp10(x); }
MUSASHIM_MATH double tanh(double x) { return __musa_tanh(x); }
MUSASHIM_MATH double j0(double x) { return __musa_j0(x); }
MUSASHIM_MATH double j1(double x) { return __musa_j1(x); }
MUSASHIM_MATH double y0(double x) { return __musa_y0(x); }
MUSASHIM_MATH double y1(double x) { return __musa_y1(x); }
#endif

#undef MUSASHIM_MATH
#endif
