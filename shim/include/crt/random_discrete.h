/* Discrete distributions in kernels: numbers of a distribution that murandCreatePoissonDistribution put into
 * device memory. A square histogram has a bar of equal width for each number, which it may share with another
 * number (Marsaglia, Tsang and Wang, "Fast Generation of Discrete Random Variables", 2004, method II): one
 * word each. Distributions without bars are rounded normal numbers. */
#ifndef MUSASHIM_CRT_RANDOM_DISCRETE_H
#define MUSASHIM_CRT_RANDOM_DISCRETE_H

#include "../murand_mtgp32_kernel.h"
#include "random_poisson.h"
#include "random_sobol.h"

inline __device__ unsigned int __musa_discrete_of(double unit, murandDiscreteDistribution_t distribution) {
  const unsigned int bars = distribution->bars;
  unsigned int bar = (unsigned int)(bars * unit);
  if (bar >= bars) return distribution->shift + distribution->other[bars - 1];
  if (unit >= distribution->border[bar]) bar = distribution->other[bar];
  return distribution->shift + bar;
}

/* What a bar is chosen by: a generator's word, of 64 bits where it makes such. */
template <class State>
inline __device__ double __musa_discrete_unit(State* state) {
  return __musa_sobol_double(murand(state));
}

template <class State>
inline __device__ unsigned int murand_discrete(State* state, murandDiscreteDistribution_t distribution) {
  if (distribution->bars == 0) return __musa_poisson_round(murand_normal_double(state), distribution->lambda);
  return __musa_discrete_of(__musa_discrete_unit(state), distribution);
}

inline __device__ uint4 murand_discrete4(murandStatePhilox4_32_10_t* state,
                                         murandDiscreteDistribution_t distribution) {
  if (distribution->bars == 0) {
    const double4 x = murand_normal4_double(state);
    const double lambda = distribution->lambda;
    return make_uint4(__musa_poisson_round(x.x, lambda), __musa_poisson_round(x.y, lambda),
                      __musa_poisson_round(x.z, lambda), __musa_poisson_round(x.w, lambda));
  }
  const uint4 x = murand4(state);
  return make_uint4(__musa_discrete_of(__musa_sobol_double(x.x), distribution),
                    __musa_discrete_of(__musa_sobol_double(x.y), distribution),
                    __musa_discrete_of(__musa_sobol_double(x.z), distribution),
                    __musa_discrete_of(__musa_sobol_double(x.w), distribution));
}

#endif
