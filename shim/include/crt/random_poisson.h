/* Poisson numbers. Below a lambda of 64 and beyond 4000 they are cuRAND's (recorded); between, exact but for
 * the rounding of doubles, they take other words than cuRAND's. */
#ifndef MUSASHIM_CRT_RANDOM_POISSON_H
#define MUSASHIM_CRT_RANDOM_POISSON_H

#include "random_distributions.h"

/* A normal number as a Poisson number: 0 for a lambda that is no number, the largest where the distribution is
 * beyond it. */
inline __device__ unsigned int __musa_poisson_round(double normal, double lambda) {
  const double largest = 4294967295.0;
  if (lambda > 2.0 * largest) return 4294967295u;
  const double number = sqrt(lambda) * normal + lambda + 0.5;
  return number > 0.0 ? (unsigned int)fmin(number, largest) : 0;
}

template <class State>
inline __device__ double __musa_poisson_uniform(State* state) {
  return __musa_random_double(state);
}
inline __device__ double __musa_poisson_uniform(murandStateMRG32k3a_t* state) {
  return murand_uniform_double(state);
}

/* How many uniform numbers have a product above exp(-lambda) (Knuth, "The Art of Computer Programming",
 * volume 2, 3.4.1). */
template <class State>
inline __device__ unsigned int __musa_poisson_product(State* state, double lambda) {
  const double limit = exp(-lambda);
  unsigned int result = 0;
  for (double product = murand_uniform(state); product > limit; product *= murand_uniform(state)) ++result;
  return result;
}

/* Inversion of one uniform number, for generators of which a number takes one word: the first number up to
 * which the probabilities reach it (Devroye, "Non-Uniform Random Variate Generation", 1986, X.3.3). Sums begin
 * where all before is nothing, and end a little below 1. */
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

/* Transformed rejection with squeeze, for lambda from 10 on (Hoermann, "The transformed rejection method for
 * generating Poisson random variables", Insurance: Mathematics and Economics 12, 1993: PTRS). */
template <class State>
inline __device__ double __musa_poisson_rejection(State* state, double lambda) {
  const double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), quick = 0.9277 - 3.6224 / (b - 2.0);
  const double log_lambda = log(lambda);
  while (true) {
    const double u = __musa_poisson_uniform(state) - 0.5, v = __musa_poisson_uniform(state);
    const double us = 0.5 - fabs(u);
    const double k = floor((2.0 * a / us + b) * u + lambda + 0.43);
    if (us >= 0.07 && v <= quick) return k;
    if (k < 0.0 || (us < 0.013 && v > us)) continue;
    if (log(v * inverse_alpha / (a / (us * us) + b)) <= k * log_lambda - lambda - lgamma(k + 1.0)) return k;
  }
}

/* 0 where lambda is none. */
template <class State>
inline __device__ unsigned int murand_poisson(State* state, double lambda) {
  if (!(lambda > 0.0)) return 0;
  if (lambda < 64.0) return __musa_poisson_product(state, lambda);
  if (lambda > 4000.0) return __musa_poisson_round(murand_normal_double(state), lambda);
  return (unsigned int)__musa_poisson_rejection(state, lambda);
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
