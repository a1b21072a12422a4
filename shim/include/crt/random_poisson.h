/* Poisson numbers, of cuRAND's words and by its rules. */
#ifndef MUSASHIM_CRT_RANDOM_POISSON_H
#define MUSASHIM_CRT_RANDOM_POISSON_H

#include "random_distributions.h"

/* A normal number as a Poisson number: 0 for a lambda that is no number, the largest where the distribution
 * is beyond it. */
inline __device__ unsigned int __musa_poisson_round(double normal, double lambda) {
  const double largest = 4294967295.0;
  if (lambda > 2.0 * largest) return 4294967295u;
  const double number = sqrt(lambda) * normal + lambda + 0.5;
  return number > 0.0 ? (unsigned int)fmin(number, largest) : 0;
}

/* How many uniform numbers have a product above exp(-lambda) (Knuth, "The Art of Computer Programming",
 * volume 2, 3.4.1). */
template <class State>
inline __device__ unsigned int __musa_poisson_product(State* state, float lambda) {
  unsigned int result = 0;
  for (float product = __musa_gpu_expf(lambda);; ++result) {
    product *= murand_uniform(state);
    if (!(product > 1.0f)) return result;
  }
}

/* Inversion of one uniform number, for generators of which a number takes one word: the first number up to
 * which the probabilities reach it (Devroye, "Non-Uniform Random Variate Generation", 1986, X.3.3). Sums
 * begin where all before is nothing, and end a little below 1. */
inline __device__ unsigned int __musa_poisson_inversion(double uniform, double lambda) {
  unsigned int result = (unsigned int)fmax(0.0, lambda - 12.0 * sqrt(lambda));
  double probability = exp(result * log(lambda) - lambda - lgamma(result + 1.0)), sum = probability;
  while (uniform > sum) {
    ++result;
    probability *= lambda / result;
    if (sum + probability == sum && result > lambda) break;
    sum += probability;
  }
  return result;
}

/* e^x and the natural logarithm by the GPU's approximations. */
inline __device__ float __musa_poisson_exp(float x) {
  const float power = (float)__musa_gpu_exp2((float)((double)x * 1.4426950408889634));
  return power < 1.17549435e-38f ? 0.0f : power;
}
inline __device__ float __musa_poisson_log(float x) {
  return (float)((double)__musa_gpu_log2f(x) * 0.6931471805599453);
}

/* Rejection from a distribution whose sums are 1 / (1 + e^(slope * (lambda - x) - shift))^2, near those of
 * Poisson's for a slope and a shift that depend on lambda. cuRAND's numbers; the six numbers are fitted to
 * its results. */
struct __musa_poisson_hull {
  float lambda, slope, shift;

  inline __device__ float sum(float x) const {
    const float e = 1.0f + __musa_poisson_exp(fmaf(slope, lambda - x, -shift));
    const float square = e * e;
    /* What is beyond a float's smallest normal number is none. */
    return square > 8.50705917e37f ? 0.0f : __musa_gpu_rcpf(square);
  }
  inline __device__ float inverse(float unit) const {
    const float exponent = __musa_poisson_log(__musa_gpu_rsqrtf(unit) - 1.0f) + shift;
    return fmaf(-exponent, __musa_gpu_rcpf(slope), lambda);
  }
};

template <class State>
inline __device__ unsigned int __musa_poisson_rejection(State* state, float lambda) {
  const __musa_poisson_hull hull = {
      lambda, fmaf(1.43248034f, __musa_gpu_rsqrtf(lambda - 0.124009736f), 0.000253610662f),
      fmaf(0.210967347f, __musa_gpu_rsqrtf(lambda - 1.97381163f), 0.942017317f)};
  const float log_lambda = __musa_poisson_log(lambda);
  while (true) {
    const float x = floorf(hull.inverse(murand_uniform(state)));
    const float z = murand_uniform(state);
    const float bound = (hull.sum(x + 1.0f) - hull.sum(x)) * 1.3f;
    if (!(bound >= 1e-20f)) continue;
    const float logarithm = fmaf(x, log_lambda, -lambda) - (float)lgamma((double)(x + 1.0f));
    if (z * bound < __musa_poisson_exp(logarithm)) return (unsigned int)x;
  }
}

/* 0 where lambda is none. */
template <class State>
inline __device__ unsigned int murand_poisson(State* state, double lambda) {
  if (!(lambda > 0.0)) return 0;
  if (lambda < 64.0) return __musa_poisson_product(state, (float)lambda);
  if (lambda > 4000.0) return __musa_poisson_round(murand_normal_double(state), lambda);
  return __musa_poisson_rejection(state, (float)lambda);
}

inline __device__ uint4 murand_poisson4(murandStatePhilox4_32_10_t* state, double lambda) {
  uint4 result;
  result.x = murand_poisson(state, lambda);
  result.y = murand_poisson(state, lambda);
  result.z = murand_poisson(state, lambda);
  result.w = murand_poisson(state, lambda);
  return result;
}

#endif
