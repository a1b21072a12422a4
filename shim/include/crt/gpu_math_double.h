/* The double functions that cuRAND's normal and log-normal numbers are made by, as NVIDIA's GPUs compute
 * them: polynomials in fused steps. Worked out from recordings of a GPU's inputs and outputs; the
 * coefficients of exp are also published in libcu++ (cuda/std/__complex/exponential_functions.h). */
#ifndef MUSASHIM_CRT_GPU_MATH_DOUBLE_H
#define MUSASHIM_CRT_GPU_MATH_DOUBLE_H

#include "gpu_math.h"
#include "standard_headers.h"

MUSASHIM_GPU_MATH double __musa_gpu_double(unsigned long long bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
MUSASHIM_GPU_MATH unsigned long long __musa_gpu_bits(double x) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* log, for positive normal numbers: of what lies between the roots of 1/2 and 2 by 2 atanh(f / (f + 2)),
 * whose quotient is u and what its rounding left over. */
MUSASHIM_GPU_MATH double __musa_gpu_log(double x) {
  const unsigned long long bits = __musa_gpu_bits(x);
  /* Exponents are counted from -1024, so that shifts are of positive numbers. */
  const unsigned long long exponent = (bits - 0x3fe6a09f00000000ull + (1024ull << 52)) >> 52;
  const double whole = __musa_gpu_double(0x4338000000000000ull - 1024 + exponent) - 0x1.8p52;
  const double m = __musa_gpu_double(bits - ((exponent - 1024) << 52)), f = m - 1.0;
  const double reciprocal = 1.0 / (m + 1.0), half = f * reciprocal, u = half + half, square = u * u;
  double q = fma(1.0261430184865912e-06, square, 4.036557633259195e-06);
  q = fma(q, square, 1.8784397011018233e-05);
  q = fma(q, square, 8.877807267972901e-05);
  q = fma(q, square, 0.0004340277929055867);
  q = fma(q, square, 0.0022321428567670418);
  q = fma(q, square, 0.012500000000004511);
  q = fma(q, square, 0.08333333333333331);
  const double rest = reciprocal * fma(-u, f, 2.0 * (f - u)), low = fma(q * square, u, rest);
  const double log2_high = 6.9314718055994529e-1, log2_low = 2.3190468138462996e-17;
  const double high = fma(whole, log2_high, u), added = fma(-whole, log2_high, high) - u;
  return high + fma(whole, log2_low, low - added);
}

/* sinpi and cospi from 0 to 2^31, by the distance to the nearest multiple of 1/2: that times pi in two parts,
 * then sine and cosine. */
MUSASHIM_GPU_MATH void __musa_gpu_sincospi(double x, double* sine, double* cosine) {
  const double places = 0x1.8p52, shifted = (x + x) + places;
  const unsigned long long quarter = __musa_gpu_bits(shifted);
  const double turned = fma(shifted - places, -0.5, x);
  const double t = fma(turned, 3.1415926535897931, turned * 1.2246467991473532e-16), square = t * t;
  double s = fma(1.5903079814280022e-10, square, -2.5050911398262658e-08);
  s = fma(s, square, 2.7557314984683083e-06);
  s = fma(s, square, -0.0001984126983447709);
  s = fma(s, square, 0.008333333333329349);
  s = fma(s, square, -0.16666666666666663);
  s = fma(s * square, t, t);
  double c = fma(-1.136776352003932e-11, square, 2.0875882692492316e-09);
  c = fma(c, square, -2.755731554018134e-07);
  c = fma(c, square, 2.4801587293615e-05);
  c = fma(c, square, -0.0013888888888880667);
  c = fma(c, square, 0.04166666666666664);
  c = fma(c, square, -0.5);
  c = fma(c, square, 1.0);
  const bool odd = (quarter & 1) != 0;
  const double first = odd ? c : s, second = odd ? s : c;
  *sine = __musa_gpu_double(__musa_gpu_bits(first) ^ (quarter >> 1 & 1) << 63);
  *cosine = __musa_gpu_double(__musa_gpu_bits(second) ^ ((quarter >> 1 ^ quarter) & 1) << 63);
}

/* exp; what would not be a normal number is 0 or infinite. */
MUSASHIM_GPU_MATH double __musa_gpu_exp(double x) {
  const double near = fmin(fmax(x, -1000.0), 1000.0), places = 0x1.8p52;
  const double shifted = fma(near, 1.4426950408889634, places), whole = shifted - places;
  double t = fma(whole, -6.9314718055994529e-1, near);
  t = fma(whole, -2.3190468138462996e-17, t);
  double r = fma(2.5022322536502990e-8, t, 2.7630903488173108e-7);
  r = fma(r, t, 2.7557514545882439e-6);
  r = fma(r, t, 2.4801491039099165e-5);
  r = fma(r, t, 1.9841269589115497e-4);
  r = fma(r, t, 1.3888888945916380e-3);
  r = fma(r, t, 8.3333333334550432e-3);
  r = fma(r, t, 4.1666666666519754e-2);
  r = fma(r, t, 1.6666666666666477e-1);
  r = fma(r, t, 5.0000000000000122e-1);
  r = fma(r, t, 1.0);
  r = fma(r, t, 1.0);
  /* In two factors, each of which is a normal number. */
  const unsigned long long exponent = __musa_gpu_bits(shifted) - 0x4338000000000000ull + 2046;
  const unsigned long long half = exponent >> 1;
  const double scaled = r * __musa_gpu_double(half << 52) * __musa_gpu_double((exponent - half) << 52);
  return x != x ? x : scaled;
}

#endif
