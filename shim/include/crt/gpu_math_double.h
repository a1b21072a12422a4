/* The double functions that cuRAND's normal and log-normal numbers are made by, as NVIDIA's GPUs compute
 * them: polynomials in fused steps. Worked out from recordings of a GPU's inputs and outputs; the
 * coefficients of exp are also published in libcu++ (cuda/std/__complex/exponential_functions.h). */
#ifndef MUSASHIM_CRT_GPU_MATH_DOUBLE_H
#define MUSASHIM_CRT_GPU_MATH_DOUBLE_H

#include "gpu_math.h"
#include "math_functions.h"
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
  const double whole = __musa_gpu_double(0x4338000000000000ull - 1024 + exponent) - 1.5 * (1ull << 52);
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
  const double places = 1.5 * (1ull << 52), shifted = (x + x) + places;
  const unsigned long long quarter = __musa_gpu_bits(shifted);
  const double turned = fma(shifted - places, -0.5, x);
  const double t = fma(turned, 3.1415926535897931, turned * 1.2246467991473532e-16), square = t * t;
  double s = fma(1.5903078922139763e-10, square, -2.5050911387276035e-08);
  s = fma(s, square, 2.7557314984640443e-06);
  s = fma(s, square, -0.00019841269834477038);
  s = fma(s, square, 0.008333333333329349);
  s = fma(s, square, -0.16666666666666663);
  s = fma(s * square, t, t);
  double c = fma(-1.1367779634785555e-11, square, 2.087588278987598e-09);
  c = fma(c, square, -2.7557315539672867e-07);
  c = fma(c, square, 2.4801587293610765e-05);
  c = fma(c, square, -0.001388888888888066);
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
  const double near = fmin(fmax(x, -1000.0), 1000.0), places = 1.5 * (1ull << 52);
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

/* erfcinv from 0 to 1: from 0.00097 on by Giles' polynomial of log(1 - (1 - x)^2) ("Approximating the erfinv
 * function", GPU Computing Gems, 2011). This logarithm is a simpler one: of what lies between 1/2 and 2, the
 * quotient is rounded once. Below, the GPU's way is not known: the nearest number or its neighbour. */
MUSASHIM_GPU_MATH double __musa_gpu_erfcinv(double x) {
  const unsigned long long bits = __musa_gpu_bits(x * (2.0 - x));
  /* Twice as much as whole exponents of 4. */
  const unsigned long long exponent = (bits - (1022ull << 52) + (1024ull << 52)) >> 53 << 1;
  const double whole = __musa_gpu_double(0x4338000000000000ull - 1024 + exponent) - 1.5 * (1ull << 52);
  const double m = __musa_gpu_double(bits - ((exponent - 1024) << 52)), f = m - 1.0;
  const double reciprocal = 1.0 / (m + 1.0), half = f * reciprocal, near = half + half;
  const double u = fma(reciprocal, fma(-near, f, 2.0 * (f - near)), near), square = u * u;
  double q = fma(8.110635779001333e-08, square, 1.591721123129163e-07);
  q = fma(q, square, 9.235308877521237e-07);
  q = fma(q, square, 4.059181187375991e-06);
  q = fma(q, square, 1.8782407537170488e-05);
  q = fma(q, square, 8.877804921487776e-05);
  q = fma(q, square, 0.00043402781159801945);
  q = fma(q, square, 0.002232142855321321);
  q = fma(q, square, 0.012500000000048488);
  q = fma(q, square, 0.08333333333333288);
  const double log = fma(whole, 6.931471805599453e-1, fma(q * square, u, u)), w = -3.125 - log;
  if (!(w < 3.125)) return erfcinv(x);
  double p = fma(-3.6444120640178196996e-21, w, -1.685059138182016589e-19);
  p = fma(p, w, 1.2858480715256400167e-18);
  p = fma(p, w, 1.115787767802518096e-17);
  p = fma(p, w, -1.333171662854620906e-16);
  p = fma(p, w, 2.0972767875968561637e-17);
  p = fma(p, w, 6.6376381343583238325e-15);
  p = fma(p, w, -4.0545662729752068639e-14);
  p = fma(p, w, -8.1519341976054721522e-14);
  p = fma(p, w, 2.6335093153082322977e-12);
  p = fma(p, w, -1.2975133253453532498e-11);
  p = fma(p, w, -5.4154120542946279317e-11);
  p = fma(p, w, 1.051212273321532285e-09);
  p = fma(p, w, -4.1126339803469836976e-09);
  p = fma(p, w, -2.9070369957882005086e-08);
  p = fma(p, w, 4.2347877827932403518e-07);
  p = fma(p, w, -1.3654692000834678645e-06);
  p = fma(p, w, -1.3882523362786468719e-05);
  p = fma(p, w, 0.0001867342080340571352);
  p = fma(p, w, -0.00074070253416626697512);
  p = fma(p, w, -0.0060336708714301490533);
  p = fma(p, w, 0.24015818242558961693);
  p = fma(p, w, 1.6536545626831027356);
  return fma(-x, p, p);
}

#endif
