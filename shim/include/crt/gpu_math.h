/* Functions as NVIDIA's GPUs compute them, bit for bit: what random numbers of cuRAND are made by. Worked out
 * from recordings of a GPU's inputs and outputs alone.
 *
 * The hardware has a handful of approximations: the upper bits of an argument choose a polynomial of second
 * degree (gpu_tables.h), the lower ones are its variable, and the result is cut off after 24 bits (the layout
 * is that of Oberman and Siu, "A High-Performance Area-Efficient Multifunction Interpolator", ARITH 2005).
 * The other functions are polynomials in floats. */
#ifndef MUSASHIM_CRT_GPU_MATH_H
#define MUSASHIM_CRT_GPU_MATH_H

#include "gpu_tables.h"
#include "standard_headers.h"

#define MUSASHIM_GPU_MATH inline __host__ __device__ __attribute__((always_inline))

MUSASHIM_GPU_MATH float __musa_gpu_float(unsigned int bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
MUSASHIM_GPU_MATH unsigned int __musa_gpu_bits(float x) {
  unsigned int bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* The first 24 bits of a number. */
MUSASHIM_GPU_MATH double __musa_gpu_cut(double x) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  bits &= ~((1ull << 29) - 1);
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

/* The hardware's square of a number of 17 bits, in units of 2^19: of the products of two bits, those below
 * 2^19 are left out before anything is added up. */
MUSASHIM_GPU_MATH unsigned int __musa_gpu_square(unsigned int x) {
  unsigned int sum = 0;
#if defined(__clang__)
#pragma clang loop unroll(full)
#endif
  for (int i = 10; i < 17; ++i)
    sum += (0u - (x >> i & 1)) & (((x & ((1u << i) - 1)) >> (18 - i)) + (1u << (2 * i - 19)));
  return sum;
}

/* A polynomial's value, of 23 bits of an argument; whole numbers of up to 41 bits, which doubles hold. */
MUSASHIM_GPU_MATH double __musa_gpu_polynomial(const __musa_gpu_row& row, double unit, double rounding,
                                               unsigned int x) {
  const double value = double(row.c0) * unit + rounding;
  return value + double(row.c1) * double(int(x)) + double(row.c2) * double(int(__musa_gpu_square(x)));
}

/* Of 23 bits of a quarter turn. */
MUSASHIM_GPU_MATH float __musa_gpu_quarter_sine(unsigned int x) {
  const double sine = __musa_gpu_polynomial(__musa_gpu_sines()[x >> 17], 4096.0, 0.0, x & 0x1ffff);
  return float(__musa_gpu_cut(sine) * (1.0 / (1ull << 37)));
}
MUSASHIM_GPU_MATH float __musa_gpu_sine_of_turns(unsigned int turns) {
  const unsigned int back = 0u - (turns >> 23 & 1), negative = turns >> 24 & 1;
  const float sine = __musa_gpu_quarter_sine((turns ^ back) & 0x7fffff);
  return __musa_gpu_float(__musa_gpu_bits(sine) ^ negative << 31);
}
/* __sincosf, for angles from 0 to 2 pi: their product with 1/(2 pi) is cut to a float, and that to 25 bits of
 * a turn. */
MUSASHIM_GPU_MATH void __musa_gpu_sincosf(float angle, float* sine, float* cosine) {
  const double product = double(angle) * double(0.15915494f);
  int turns = int(product * (1 << 25));
  turns &= ~(turns >> 24 & 1);
  *sine = __musa_gpu_sine_of_turns(unsigned(turns));
  *cosine = __musa_gpu_sine_of_turns(unsigned(turns) + (1u << 23));
}

/* 2^x as ex2.approx.ftz has it, in double: not yet cut down to a float's exponents. Fractions of negative
 * numbers are complemented without a carry. */
MUSASHIM_GPU_MATH double __musa_gpu_exp2(float x) {
  const float near = fminf(fmaxf(x, -300.0f), 300.0f);
  const double digits = double(fabsf(near)) * (1 << 23);
  const unsigned int size = unsigned(int(fmin(digits, 2147483647.0)));
  const bool down = near < 0.0f, broken = (size & 0x7fffff) != 0;
  const unsigned int fraction = (down && broken ? ~size : size) & 0x7fffff;
  const int whole = int(size >> 23), exponent = down ? -whole - (broken ? 1 : 0) : whole;
  const double power =
      __musa_gpu_polynomial(__musa_gpu_powers()[fraction >> 17], 8192.0, 6114.0, fraction & 0x1ffff);
  const unsigned long long scale_bits = (unsigned long long)(1023 - 38 + exponent) << 52;
  double scale;
  __builtin_memcpy(&scale, &scale_bits, sizeof scale);
  return __musa_gpu_cut(power) * scale;
}

/* The other approximations, for positive normal numbers: lg2.approx, rsqrt.approx and rcp.approx. */
MUSASHIM_GPU_MATH float __musa_gpu_log2f(float x) {
  const unsigned int bits = __musa_gpu_bits(x), fraction = bits & 0x7fffff;
  const int exponent = int(bits >> 23) - 127;
  if (x == 1.0f) return 0.0f;
  const double log = floor(
      __musa_gpu_polynomial(__musa_gpu_logarithms()[fraction >> 17], 4096.0, 837.0, fraction & 0x1ffff) *
      0.25);
  const double whole = double(exponent) * (1ll << 36);
  /* Below 1 what is added is complemented, without a carry. */
  return exponent < 0 ? float(-__musa_gpu_cut(-whole - log - 1.0) * (1.0 / (1ull << 36)))
                      : float(__musa_gpu_cut(whole + log) * (1.0 / (1ull << 36)));
}
MUSASHIM_GPU_MATH float __musa_gpu_rsqrtf(float x) {
  const unsigned int bits = __musa_gpu_bits(x), fraction = bits & 0x7fffff;
  const int exponent = int(bits >> 23) - 127, odd = exponent & 1;
  const double scale = double(__musa_gpu_float((unsigned int)(127 - (exponent - odd) / 2) << 23));
  if (fraction == 0 && odd == 0) return float(scale);
  const __musa_gpu_row& row = __musa_gpu_roots()[odd * 64 + (fraction >> 17)];
  return float(__musa_gpu_cut(__musa_gpu_polynomial(row, 16384.0, 16383.0, fraction & 0x1ffff)) *
               (1.0 / (1ull << 40)) * scale);
}
MUSASHIM_GPU_MATH float __musa_gpu_rcpf(float x) {
  const unsigned int bits = __musa_gpu_bits(x), fraction = bits & 0x7fffff;
  const double scale = double(__musa_gpu_float((254 - (bits >> 23)) << 23));
  if (fraction == 0) return float(scale);
  /* Of 16 bits only, whose square is in other units. */
  const __musa_gpu_row& row = __musa_gpu_reciprocals()[fraction >> 16];
  const unsigned int rest = fraction & 0xffff;
  const double value = double(row.c0) * 8192.0 + 2023.0 + double(row.c1) * double(int(rest)) +
                       double(row.c2) * double(int(__musa_gpu_square(rest << 1)));
  return float(__musa_gpu_cut(value) * (1.0 / (1ull << 39)) * scale);
}

/* expf. */
MUSASHIM_GPU_MATH float __musa_gpu_expf(float x) {
  const float log2e = 1.442695f, log2e_rest = 1.925963e-8f;
  const float place = fminf(fmaxf(fmaf(x, log2e / 252.0f, 0.5f), 0.0f), 1.0f);
  const float whole = float(floor(double(place) * 252.0 + 1.0)) - 127.0f;
  const double power = __musa_gpu_exp2(fmaf(x, log2e_rest, fmaf(x, log2e, -whole)));
  const unsigned long long scale_bits = (unsigned long long)(1023 + int(whole)) << 52;
  double scale;
  __builtin_memcpy(&scale, &scale_bits, sizeof scale);
  return x != x ? x : float(power * scale);
}

/* logf, for normal numbers. */
MUSASHIM_GPU_MATH float __musa_gpu_logf(float x) {
  const unsigned int exponent = (__musa_gpu_bits(x) - 0x3f2aaaabu) & 0xff800000u; /* from 2/3 to 4/3 */
  const float f = __musa_gpu_float(__musa_gpu_bits(x) - exponent) - 1.0f;
  float r = fmaf(-0.130188569f, f, 0.140846103f);
  r = fmaf(r, f, -0.121486276f);
  r = fmaf(r, f, 0.139806107f);
  r = fmaf(r, f, -0.166842356f);
  r = fmaf(r, f, 0.200122997f);
  r = fmaf(r, f, -0.249996692f);
  r = fmaf(r, f, 0.333331823f);
  r = fmaf(r, f, -0.5f);
  const float product = r * f;
  r = fmaf(product, f, f);
  return fmaf(float(int(exponent)) * (1.0f / (1ull << 23)), 0.693147182f, r);
}

/* erfcinvf from 0 to 1: by the logarithm of 1 - (1 - x)^2, and near 0 by the root of that of x. */
MUSASHIM_GPU_MATH float __musa_gpu_erfcinvf(float x) {
  if (x < 0.0034f) {
    const float log = -__musa_gpu_log2f(x), t = __musa_gpu_rsqrtf(log);
    float r = fmaf(-63.113224f, t, 127.484688f);
    r = fmaf(r, t, -114.105682f);
    r = fmaf(r, t, 60.3257866f);
    r = fmaf(r, t, -21.7898922f);
    r = fmaf(r, t, 6.46740913f);
    r = fmaf(r, t, -1.83294737f);
    r = fmaf(r, t, -0.0303277746f);
    r = fmaf(r, t, 0.832877457f);
    const float root = log * t;
    return r * root;
  }
  const float rest = 2.0f - x, product = x * rest, log = __musa_gpu_log2f(product);
  float r = fmaf(2.51727084e-10f, log, 9.42742862e-09f);
  r = fmaf(r, log, 1.20547526e-07f);
  r = fmaf(r, log, 2.16970051e-07f);
  r = fmaf(r, log, -8.06214848e-06f);
  r = fmaf(r, log, -3.16754922e-05f);
  r = fmaf(r, log, 0.000774363114f);
  r = fmaf(r, log, 0.00554658799f);
  r = fmaf(r, log, -0.160820231f);
  r = fmaf(r, log, 0.886226892f);
  return fmaf(-x, r, r);
}

#endif
