/* The hottest float functions as straight code without branches or calls: loops over
 * threads vectorise with them, and a thread's result does not depend on whether it ran
 * in a vector. In device code they are expf, logf and so on (math_header.h).
 *
 * Accuracy (tests/device/accuracy_test.cpp): every float rounds to at most one place
 * from the nearest. Polynomials are minimax fits (Remez' algorithm) on the intervals
 * that the comments give. -ffast-math does not reach into this file.
 */
#ifndef MUSASHIM_CRT_VECTOR_MATH_H
#define MUSASHIM_CRT_VECTOR_MATH_H

#include "host_defines.h"

#if defined(__clang__)
#pragma float_control(precise, on, push)
#pragma clang fp contract(off)
#endif

MUSASHIM_HD unsigned int __musa_bits(float x) { return __builtin_bit_cast(unsigned int, x); }
MUSASHIM_HD float __musa_of_bits(unsigned int bits) { return __builtin_bit_cast(float, bits); }
MUSASHIM_HD unsigned long long __musa_bits(double x) { return __builtin_bit_cast(unsigned long long, x); }
MUSASHIM_HD double __musa_of_bits(unsigned long long bits) { return __builtin_bit_cast(double, bits); }
/* a * b + c in one step, or what is good enough for polynomials where the processor has
 * no such step and the C library's would be slow. */
MUSASHIM_HD float __musa_fused(float a, float b, float c) {
#if defined(__FMA__) || defined(__aarch64__)
  return __builtin_fmaf(a, b, c);
#else
  return float(double(a) * double(b) + double(c));
#endif
}
MUSASHIM_HD double __musa_fused(double a, double b, double c) {
#if defined(__FMA__) || defined(__aarch64__)
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}
/* Comparisons let a NaN through. */
MUSASHIM_HD float __musa_between(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

/* -- Exponential functions -- */
/* e^x: n = x / ln 2 in the low bits of a sum, then e^r on [-ln2/2, ln2/2]. The power of
 * two comes in two halves, so that only the last product rounds subnormal results. */
MUSASHIM_HD float __musa_expf(float x) {
  const float shifter = 12582912.0f; /* 1.5 * 2^23 */
  const float bounded = __musa_between(x, -105.0f, 89.0f);
  const float shifted = __musa_fused(bounded, 1.44269504f, shifter);
  const float n = shifted - shifter;
  const int exponent = int(__musa_bits(shifted) - 0x4b400000u);
  float r = __musa_fused(n, -0.693147182f, bounded);
  r = __musa_fused(n, 1.90465421e-9f, r);
  float p = 0.00138144579f;
  p = __musa_fused(p, r, 0.00836877991f);
  p = __musa_fused(p, r, 0.0416683927f);
  p = __musa_fused(p, r, 0.166665196f);
  p = __musa_fused(p, r, 0.49999994f);
  p = __musa_fused(p * r, r, r) + 1.0f;
  const int half = exponent >> 1;
  const float low = __musa_of_bits(unsigned(half + 127) << 23);
  const float high = __musa_of_bits(unsigned(exponent - half + 127) << 23);
  return p * low * high;
}
/* 2^x for |x| < 1000: a polynomial on [-1/2, 1/2] to 2^-40, scaled. */
MUSASHIM_HD double __musa_exp2_core(double x) {
  const double shifter = 6755399441055744.0; /* 1.5 * 2^52 */
  const double shifted = x + shifter;
  const double r = x - (shifted - shifter);
  double p = 1.3175814284189042e-06;
  p = __musa_fused(p, r, 1.5309850486807145e-05);
  p = __musa_fused(p, r, 0.0001540385286635606);
  p = __musa_fused(p, r, 0.0013333451642153235);
  p = __musa_fused(p, r, 0.009618128539714721);
  p = __musa_fused(p, r, 0.05550410939773576);
  p = __musa_fused(p, r, 0.24022650698903017);
  p = __musa_fused(p, r, 0.6931471805464083);
  p = __musa_fused(p, r, 0.9999999999997601);
  /* The sum's low bits are n in two's complement. */
  return p * __musa_of_bits((__musa_bits(shifted) + 1023u) << 52);
}
MUSASHIM_HD float __musa_exp2_rounded(double x) {
  x = x < -200.0 ? -200.0 : x;
  return float(__musa_exp2_core(x > 200.0 ? 200.0 : x));
}
MUSASHIM_HD float __musa_exp2f(float x) { return __musa_exp2_rounded(x); }
MUSASHIM_HD float __musa_exp10f(float x) {
  return __musa_exp2_rounded(double(x) * 3.321928094887362347870319);
}

/* tanh: a polynomial below 0.6, else 1 - 2 / (e^2|x| + 1). */
MUSASHIM_HD float __musa_tanhf(float x) {
  const float magnitude = __builtin_fabsf(x);
  const float z = x * x;
  float p = -0.00585642783f;
  p = __musa_fused(p, z, 0.020775415f);
  p = __musa_fused(p, z, -0.0537828915f);
  p = __musa_fused(p, z, 0.133319989f);
  p = __musa_fused(p, z, -0.333333045f);
  const float small = __musa_fused(p * z, x, x);
  const float large = 1.0f - 2.0f / (__musa_expf(2.0f * __musa_between(magnitude, 0.0f, 12.0f)) + 1.0f);
  return __builtin_copysignf(magnitude < 0.6f ? small : large, x);
}

/* erf: x + x P(x^2) below 0.9, else 1 - e^-T(|x|) with a polynomial for -log(erfc) up to 4, from where on it
 * is 1. */
MUSASHIM_HD float __musa_erff(float x) {
  const float magnitude = __builtin_fabsf(x);
  const float z = x * x;
  float p = 8.51310251e-05f;
  p = __musa_fused(p, z, -0.000817563909f);
  p = __musa_fused(p, z, 0.00520385895f);
  p = __musa_fused(p, z, -0.0268605091f);
  p = __musa_fused(p, z, 0.112837151f);
  p = __musa_fused(p, z, -0.376126349f);
  p = __musa_fused(p, z, 0.128379166f);
  const float small = __musa_fused(p, x, x);
  const float bounded = __musa_between(magnitude, 0.0f, 4.0f);
  float t = 6.62502202e-07f;
  t = __musa_fused(t, bounded, 1.23339596e-05f);
  t = __musa_fused(t, bounded, -0.000384807296f);
  t = __musa_fused(t, bounded, 0.00401346339f);
  t = __musa_fused(t, bounded, -0.02481292f);
  t = __musa_fused(t, bounded, 0.10790585f);
  t = __musa_fused(t, bounded, 0.633627236f);
  t = __musa_fused(t, bounded, 1.12939715f);
  t = __musa_fused(t, bounded, -0.000153389861f);
  const float large = 1.0f - __musa_expf(-t);
  return __builtin_copysignf(magnitude < 0.9f ? small : large, x);
}

/* -- Logarithms -- */
/* The natural one: x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). */
MUSASHIM_HD float __musa_logf(float x) {
  const bool subnormal = x < 1.17549435e-38f;
  const unsigned int bits = __musa_bits(subnormal ? x * 8388608.0f : x);
  const unsigned int shifted = bits - 0x3f3504f3u;
  const float k = float((int(shifted) >> 23) - (subnormal ? 23 : 0));
  const float f = __musa_of_bits(bits - (shifted & 0xff800000u)) - 1.0f;
  float p = 0.0674683601f;
  p = __musa_fused(p, f, -0.116757445f);
  p = __musa_fused(p, f, 0.118881255f);
  p = __musa_fused(p, f, -0.124055713f);
  p = __musa_fused(p, f, 0.142195553f);
  p = __musa_fused(p, f, -0.166679963f);
  p = __musa_fused(p, f, 0.200021192f);
  p = __musa_fused(p, f, -0.250000089f);
  p = __musa_fused(p, f, 0.333333135f);
  const float tail = __musa_fused(k, -1.90465421e-9f, f * f * __musa_fused(p, f, -0.5f));
  const float finite = __musa_fused(k, 0.693147182f, f + tail);
  const float positive = x < __builtin_huge_valf() ? finite : x;
  return x > 0.0f ? positive : x == 0.0f ? -__builtin_huge_valf() : __builtin_nanf("");
}
/* log2 of a positive finite double that is not subnormal (so any float), to 2^-43. */
MUSASHIM_HD double __musa_log2_core(double x) {
  const unsigned long long bits = __musa_bits(x);
  const unsigned long long shifted = bits - 0x3fe6a09e667f3bcdull;
  const double k = double(int(shifted >> 32) >> 20);
  const double m = __musa_of_bits(bits - (shifted & 0xfff0000000000000ull));
  const double s = (m - 1.0) / (m + 1.0), z = s * s;
  double p = 0.2829297742239133;
  p = __musa_fused(p, z, 0.3199036686245215);
  p = __musa_fused(p, z, 0.41220930073314627);
  p = __musa_fused(p, z, 0.5770779418972729);
  p = __musa_fused(p, z, 0.9617966941149135);
  p = __musa_fused(p, z, 2.885390081777849);
  return __musa_fused(p, s, k);
}
MUSASHIM_HD float __musa_log_scaled(float x, double scale) {
  const float finite = float(__musa_log2_core(x) * scale);
  const float positive = x < __builtin_huge_valf() ? finite : x;
  return x > 0.0f ? positive : x == 0.0f ? -__builtin_huge_valf() : __builtin_nanf("");
}
MUSASHIM_HD float __musa_log2f(float x) { return __musa_log_scaled(x, 1.0); }
MUSASHIM_HD float __musa_log10f(float x) { return __musa_log_scaled(x, 0.301029995663981195213739); }

/* -- Powers: 2^(y log2|x|) in double, then the cases of C's annex F -- */
MUSASHIM_HD float __musa_powf(float x, float y) {
  const float infinity = __builtin_huge_valf();
  const float magnitude = __builtin_fabsf(x);
  const double logarithm = magnitude == 0.0f       ? -__builtin_huge_val()
                           : magnitude == infinity ? __builtin_huge_val()
                                                   : __musa_log2_core(magnitude);
  float result = magnitude == 1.0f ? 1.0f : __musa_exp2_rounded(double(y) * logarithm);
  const bool whole = __builtin_truncf(y) == y;
  const float half = 0.5f * y;
  const bool odd = whole && __builtin_truncf(half) != half;
  const bool negative = (__musa_bits(x) >> 31) != 0;
  const bool undefined = negative && !whole && magnitude != 0.0f && magnitude != infinity;
  result = undefined ? __builtin_nanf("") : result;
  result = negative && odd ? -result : result;
  result = x != x || y != y ? __builtin_nanf("") : result;
  return x == 1.0f || y == 0.0f ? 1.0f : result;
}

/* -- Sine and cosine -- */
/* 2/pi times 2^(e - 23) modulo 4, for every exponent e of a float: 29 bits, and the rest. */
struct __musa_two_over_pi {
  double high, low;
};
/* x / (pi/2) as a whole number, whose last two bits are the quadrant, and a rest of at
 * most 0.54. The product with the high part is exact, so that floats next to multiples
 * of pi/2 keep 26 bits of their rest. A float's significand, as a whole number, times the
 * table's entry for its exponent is x modulo four quadrants. */
MUSASHIM_HD double __musa_quadrant(float x, unsigned int* quadrant) {
  static constexpr __musa_two_over_pi table[128] = {
      {0x1.45f306ep-24, -0x1.b1bbead603d8bp-55}, {0x1.45f306ep-23, -0x1.b1bbead603d8bp-54},
      {0x1.45f306ep-22, -0x1.b1bbead603d8bp-53}, {0x1.45f306ep-21, -0x1.b1bbead603d8bp-52},
      {0x1.45f306ep-20, -0x1.b1bbead603d8bp-51}, {0x1.45f306ep-19, -0x1.b1bbead603d8bp-50},
      {0x1.45f306ep-18, -0x1.b1bbead603d8bp-49}, {0x1.45f306ep-17, -0x1.b1bbead603d8bp-48},
      {0x1.45f306ep-16, -0x1.b1bbead603d8bp-47}, {0x1.45f306ep-15, -0x1.b1bbead603d8bp-46},
      {0x1.45f306ep-14, -0x1.b1bbead603d8bp-45}, {0x1.45f306ep-13, -0x1.b1bbead603d8bp-44},
      {0x1.45f306ep-12, -0x1.b1bbead603d8bp-43}, {0x1.45f306ep-11, -0x1.b1bbead603d8bp-42},
      {0x1.45f306ep-10, -0x1.b1bbead603d8bp-41}, {0x1.45f306ep-9, -0x1.b1bbead603d8bp-40},
      {0x1.45f306ep-8, -0x1.b1bbead603d8bp-39},  {0x1.45f306ep-7, -0x1.b1bbead603d8bp-38},
      {0x1.45f306ep-6, -0x1.b1bbead603d8bp-37},  {0x1.45f306ep-5, -0x1.b1bbead603d8bp-36},
      {0x1.45f306ep-4, -0x1.b1bbead603d8bp-35},  {0x1.45f306ep-3, -0x1.b1bbead603d8bp-34},
      {0x1.45f306ep-2, -0x1.b1bbead603d8bp-33},  {0x1.45f306ep-1, -0x1.b1bbead603d8bp-32},
      {0x1.45f306ep+0, -0x1.b1bbead603d8bp-31},  {-0x1.7419f24p+0, -0x1.b1bbead603d8bp-30},
      {0x1.17cc1b7p+0, 0x1.391054a7f09d6p-31},   {-0x1.d067c92p+0, 0x1.391054a7f09d6p-30},
      {0x1.7cc1b72p-2, 0x1.c882a53f84eb0p-32},   {0x1.7cc1b72p-1, 0x1.c882a53f84eb0p-31},
      {0x1.7cc1b72p+0, 0x1.c882a53f84eb0p-30},   {-0x1.067c91bp+0, -0x1.bbead603d8a83p-32},
      {0x1.f306dcap+0, -0x1.bbead603d8a83p-31},  {-0x1.9f246c7p-4, 0x1.054a7f09d5f48p-36},
      {-0x1.9f246c7p-3, 0x1.054a7f09d5f48p-35},  {-0x1.9f246c7p-2, 0x1.054a7f09d5f48p-34},
      {-0x1.9f246c7p-1, 0x1.054a7f09d5f48p-33},  {-0x1.9f246c7p+0, 0x1.054a7f09d5f48p-32},
      {0x1.836e4e4p-1, 0x1.054a7f09d5f48p-31},   {0x1.836e4e4p+0, 0x1.054a7f09d5f48p-30},
      {-0x1.f246c6fp-1, 0x1.529fc2757d1f5p-35},  {-0x1.f246c6fp+0, 0x1.529fc2757d1f5p-34},
      {0x1.b727221p-4, -0x1.5ac07b1505c16p-34},  {0x1.b727221p-3, -0x1.5ac07b1505c16p-33},
      {0x1.b727221p-2, -0x1.5ac07b1505c16p-32},  {0x1.b727221p-1, -0x1.5ac07b1505c16p-31},
      {0x1.b727221p+0, -0x1.5ac07b1505c16p-30},  {-0x1.236377dp-1, -0x1.6b01ec5417056p-31},
      {-0x1.236377dp+0, -0x1.6b01ec5417056p-30}, {0x1.b939105p+0, 0x1.29fc2757d1f53p-30},
      {-0x1.1b1bbebp-1, 0x1.4fe13abe8fa9ap-32},  {-0x1.1b1bbebp+0, 0x1.4fe13abe8fa9ap-31},
      {0x1.c9c882ap+0, 0x1.4fe13abe8fa9ap-30},   {-0x1.b1bbeadp-2, -0x1.80f62a0b82b2dp-32},
      {-0x1.b1bbeadp-1, -0x1.80f62a0b82b2dp-31}, {-0x1.b1bbeadp+0, -0x1.80f62a0b82b2dp-30},
      {0x1.391054ap-1, 0x1.fc2757d1f534ep-31},   {0x1.391054ap+0, 0x1.fc2757d1f534ep-30},
      {-0x1.8ddf56bp+0, -0x1.ec54170565912p-36}, {0x1.c882a54p-1, -0x1.ec54170565912p-35},
      {0x1.c882a54p+0, -0x1.ec54170565912p-34},  {-0x1.bbead60p-2, -0x1.ec54170565912p-33},
      {-0x1.bbead60p-1, -0x1.ec54170565912p-32}, {-0x1.bbead60p+0, -0x1.ec54170565912p-31},
      {0x1.1054a7fp-1, 0x1.3abe8fa9a6ee0p-34},   {0x1.1054a7fp+0, 0x1.3abe8fa9a6ee0p-33},
      {-0x1.df56b02p+0, 0x1.3abe8fa9a6ee0p-32},  {0x1.054a7f1p-2, -0x1.8a82e0acb223fp-32},
      {0x1.054a7f1p-1, -0x1.8a82e0acb223fp-31},  {0x1.054a7f1p+0, -0x1.8a82e0acb223fp-30},
      {-0x1.f56b01fp+0, 0x1.d5f47d4d37703p-31},  {0x1.529fc27p-4, 0x1.5f47d4d377037p-34},
      {0x1.529fc27p-3, 0x1.5f47d4d377037p-33},   {0x1.529fc27p-2, 0x1.5f47d4d377037p-32},
      {0x1.529fc27p-1, 0x1.5f47d4d377037p-31},   {0x1.529fc27p+0, 0x1.5f47d4d377037p-30},
      {-0x1.5ac07b1p+0, -0x1.4170565911f92p-30}, {0x1.4a7f09dp+0, 0x1.7d1f534ddc0dbp-30},
      {-0x1.6b01ec5p+0, -0x1.05c1596447e49p-30}, {0x1.29fc275p+0, 0x1.f47d4d377036ep-30},
      {-0x1.ac07b15p+0, -0x1.70565911f924fp-34}, {0x1.4fe13acp-1, -0x1.70565911f924fp-33},
      {0x1.4fe13acp+0, -0x1.70565911f924fp-32},  {-0x1.603d8a8p+0, -0x1.70565911f924fp-31},
      {0x1.3f84eb0p+0, -0x1.70565911f924fp-30},  {-0x1.80f62a1p+0, 0x1.1f534ddc0db63p-30},
      {0x1.fc2757dp-1, 0x1.f534ddc0db629p-33},   {0x1.fc2757dp+0, 0x1.f534ddc0db629p-32},
      {-0x1.ec54170p-6, -0x1.596447e493ad5p-36}, {-0x1.ec54170p-5, -0x1.596447e493ad5p-35},
      {-0x1.ec54170p-4, -0x1.596447e493ad5p-34}, {-0x1.ec54170p-3, -0x1.596447e493ad5p-33},
      {-0x1.ec54170p-2, -0x1.596447e493ad5p-32}, {-0x1.ec54170p-1, -0x1.596447e493ad5p-31},
      {-0x1.ec54170p+0, -0x1.596447e493ad5p-30}, {0x1.3abe8fbp-3, -0x1.96447e493ad4dp-33},
      {0x1.3abe8fbp-2, -0x1.96447e493ad4dp-32},  {0x1.3abe8fbp-1, -0x1.96447e493ad4dp-31},
      {0x1.3abe8fbp+0, -0x1.96447e493ad4dp-30},  {-0x1.8a82e0bp+0, 0x1.a6ee06db14acdp-31},
      {0x1.d5f47d5p-1, -0x1.6447e493ad4cep-32},  {0x1.d5f47d5p+0, -0x1.6447e493ad4cep-31},
      {-0x1.505c159p-2, -0x1.911f924eb5336p-32}, {-0x1.505c159p-1, -0x1.911f924eb5336p-31},
      {-0x1.505c159p+0, -0x1.911f924eb5336p-30}, {0x1.5f47d4dp+0, 0x1.bb81b6c52b328p-31},
      {-0x1.4170566p+0, 0x1.bb81b6c52b328p-30},  {0x1.7d1f535p+0, -0x1.11f924eb53362p-31},
      {-0x1.05c1596p+0, -0x1.11f924eb53362p-30}, {0x1.f47d4d3p+0, 0x1.dc0db6295993cp-30},
      {-0x1.7056591p-4, -0x1.f924eb53361dep-36}, {-0x1.7056591p-3, -0x1.f924eb53361dep-35},
      {-0x1.7056591p-2, -0x1.f924eb53361dep-34}, {-0x1.7056591p-1, -0x1.f924eb53361dep-33},
      {-0x1.7056591p+0, -0x1.f924eb53361dep-32}, {0x1.1f534dep+0, -0x1.f924eb53361dep-31},
      {-0x1.c159644p+0, -0x1.f924eb53361dep-30}, {0x1.f534ddcp-2, 0x1.b6c52b3278872p-35},
      {0x1.f534ddcp-1, 0x1.b6c52b3278872p-34},   {0x1.f534ddcp+0, 0x1.b6c52b3278872p-33},
      {-0x1.596447ep-4, -0x1.24eb53361de38p-34}, {-0x1.596447ep-3, -0x1.24eb53361de38p-33},
      {-0x1.596447ep-2, -0x1.24eb53361de38p-32}, {-0x1.596447ep-1, -0x1.24eb53361de38p-31},
      {-0x1.596447ep+0, -0x1.24eb53361de38p-30}, {0x1.4d37703p+0, 0x1.b6295993c4390p-30},
      {-0x1.65911f9p+0, -0x1.275a99b0ef1bfp-31}, {0x1.34ddc0ep+0, -0x1.275a99b0ef1bfp-30}};
  const double shifter = 6755399441055744.0; /* 1.5 * 2^52 */
  const unsigned int bits = __musa_bits(x), field = bits >> 23 & 0xffu;
  const unsigned int exponent = field < 127u ? 0u : (field - 127u) & 127u;
  const double m = double(field < 127u ? x * 8388608.0f : __musa_of_bits((bits & 0x807fffffu) | 0x4b000000u));
  const double product = m * table[exponent].high;
  const double shifted = product + shifter;
  *quadrant = unsigned(__musa_bits(shifted));
  return __musa_fused(m, table[exponent].low, product - (shifted - shifter));
}
/* sin and cos of r pi/2 for |r| <= 0.54. */
MUSASHIM_HD double __musa_sin_quarter(double r) {
  const double z = r * r;
  double p = -3.5507391270479775e-06;
  p = __musa_fused(p, z, 0.00016042587618209734);
  p = __musa_fused(p, z, -0.004681751887562539);
  p = __musa_fused(p, z, 0.07969262609692894);
  p = __musa_fused(p, z, -0.645964097502622);
  p = __musa_fused(p, z, 1.5707963267948823);
  return p * r;
}
MUSASHIM_HD double __musa_cos_quarter(double r) {
  const double z = r * r;
  double p = -2.480432038697426e-05;
  p = __musa_fused(p, z, 0.0009191337469676013);
  p = __musa_fused(p, z, -0.020863462188643916);
  p = __musa_fused(p, z, 0.25366950666794025);
  p = __musa_fused(p, z, -1.2337005501062261);
  return __musa_fused(p, z, 0.9999999999998822);
}
/* The sine `turned` by so many quadrants. */
MUSASHIM_HD float __musa_sine_of(float x, unsigned int quadrant, double sine, double cosine) {
  const float value = float(quadrant & 1u ? cosine : sine);
  const float result = quadrant & 2u ? -value : value;
  return __builtin_fabsf(x) < __builtin_huge_valf() ? result : __builtin_nanf("");
}
MUSASHIM_HD float __musa_sinf(float x) {
  unsigned int quadrant;
  const double r = __musa_quadrant(x, &quadrant);
  const float sine = __musa_sine_of(x, quadrant, __musa_sin_quarter(r), __musa_cos_quarter(r));
  return x == 0.0f ? x : sine; /* -0 */
}
MUSASHIM_HD float __musa_cosf(float x) {
  unsigned int quadrant;
  const double r = __musa_quadrant(x, &quadrant);
  return __musa_sine_of(x, quadrant + 1u, __musa_sin_quarter(r), __musa_cos_quarter(r));
}
MUSASHIM_HD void __musa_sincosf(float x, float* sine, float* cosine) {
  unsigned int quadrant;
  const double r = __musa_quadrant(x, &quadrant);
  const double s = __musa_sin_quarter(r), c = __musa_cos_quarter(r);
  *sine = x == 0.0f ? x : __musa_sine_of(x, quadrant, s, c);
  *cosine = __musa_sine_of(x, quadrant + 1u, s, c);
}

#if defined(__clang__)
#pragma float_control(pop)
#endif

#endif
