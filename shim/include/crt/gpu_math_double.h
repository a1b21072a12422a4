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

/* log, for positive normal numbers: of 2^k m, m from sqrt(1/2) to sqrt(2) (the upper word decides), by the
 * textbook's 2 atanh(f / (2 + f)) of f = m - 1, with what the quotient's rounding left out, and k ln(2) in
 * two parts. Found from recordings and this reduction: the steps by trying variants, the coefficients by a
 * fit to the logarithm, then to the bounds that each recorded result sets for the polynomial. */
MUSASHIM_GPU_MATH double __musa_gpu_log(double x) {
  const unsigned long long bits = __musa_gpu_bits(x);
  const unsigned long long exponent = (bits + 0x00095f6100000000ull) >> 52; /* k + 1023 */
  const double k = __musa_gpu_double(exponent | 0x4330000000000000ull) - ((1ull << 52) + 1023.0);
  const double m = __musa_gpu_double(bits - (exponent << 52) + 0x3ff0000000000000ull);
  const double f = m - 1.0, reciprocal = 1.0 / (m + 1.0);
  const double t = 2.0 * (f * reciprocal), square = t * t;
  const double rest = reciprocal * fma(-t, f, 2.0 * (f - t));
  double p = fma(1.0261414511741385e-06, square, 4.0365709229964358e-06);
  p = fma(p, square, 1.8784392732921201e-05);
  p = fma(p, square, 8.8778073193825657e-05);
  p = fma(p, square, 0.00043402779287787547);
  p = fma(p, square, 0.0022321428567676884);
  p = fma(p, square, 0.012500000000004506);
  p = fma(p, square, 0.083333333333333315);
  const double low = fma(p * square, t, rest);
  const double high = fma(k, 0.69314718055994529, t);
  const double lost = fma(-k, 0.69314718055994529, high) - t;
  return high + fma(k, 2.3190468138462996e-17, low - lost);
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
 * function", GPU Computing Gems, 2011). Below, the GPU's way is not known: the nearest number or its
 * neighbour. The logarithm is a simpler one than the above: of 2^k m, k even, m from 1/2 to 2, by the rounded
 * 2 (m - 1) / (m + 1), and k ln(2) in one part. Its form was found by trying variants on recordings, its
 * coefficients by a fit to the logarithm, then to the recordings. */
MUSASHIM_GPU_MATH double __musa_gpu_erfcinv(double x) {
  const double y = x * (2.0 - x);
  const unsigned long long bits = __musa_gpu_bits(y);
  const unsigned long long exponent = bits >> 52 | 1; /* k + 1023 */
  const double k = __musa_gpu_double(exponent | 0x4330000000000000ull) - ((1ull << 52) + 1023.0);
  const double m = __musa_gpu_double(bits - (exponent << 52) + 0x3ff0000000000000ull);
  const double f = m - 1.0, reciprocal = 1.0 / (m + 1.0), quotient = 2.0 * (f * reciprocal);
  const double t = fma(reciprocal, fma(-quotient, f, 2.0 * (f - quotient)), quotient), square = t * t;
  double l = fma(8.0494149686484381e-08, square, 1.605775286281382e-07);
  l = fma(l, square, 9.221511857693165e-07);
  l = fma(l, square, 4.0599364853454912e-06);
  l = fma(l, square, 1.8782155592374817e-05);
  l = fma(l, square, 8.8778101713829317e-05);
  l = fma(l, square, 0.00043402780487349118);
  l = fma(l, square, 0.0022321428558198853);
  l = fma(l, square, 0.012500000000029805);
  l = fma(l, square, 0.083333333333333134);
  const double log = fma(k, 0.69314718055994529, fma(l * square, t, t)), w = -3.125 - log;
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
