/* Sobol's sequences in kernels: states of one dimension each, by cuRAND's names. Places are words of the
 * sequence's width; numbers come in the order of Gray's code. Scrambled ones take their vectors and constant
 * from the caller. */
#ifndef MUSASHIM_CRT_RANDOM_SOBOL_H
#define MUSASHIM_CRT_RANDOM_SOBOL_H

#include "../murand.h"
#include "random_poisson.h"

struct murandStateSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct murandStateScrambledSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct murandStateSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
struct murandStateScrambledSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
typedef struct murandStateSobol32 murandStateSobol32_t;
typedef struct murandStateScrambledSobol32 murandStateScrambledSobol32_t;
typedef struct murandStateSobol64 murandStateSobol64_t;
typedef struct murandStateScrambledSobol64 murandStateScrambledSobol64_t;

/* The number at place i: the vectors of its Gray code's digits, and the constant of scrambled sequences. */
template <class State>
inline __device__ void __musa_sobol_place(State* state) {
  const auto code = state->i ^ (state->i >> 1);
  state->x = state->c;
  for (int digit = 0; digit < (int)(8 * sizeof(code)); ++digit)
    if (code >> digit & 1) state->x ^= state->direction_vectors[digit];
}

template <class State, class Word>
inline __device__ void __musa_sobol_init(const Word* vectors, Word constant, Word place, State* state) {
  for (int digit = 0; digit < (int)(8 * sizeof(Word)); ++digit)
    state->direction_vectors[digit] = vectors[digit];
  state->c = constant;
  state->i = place;
  __musa_sobol_place(state);
}

template <class State>
inline __device__ auto __musa_sobol_next(State* state) {
  const auto result = state->x;
  ++state->i;
  __musa_sobol_place(state);
  return result;
}

/* (0, 1] of a word of either width. */
inline __device__ float __musa_sobol_float(unsigned int x) { return __musa_random_uniform(x); }
inline __device__ float __musa_sobol_float(unsigned long long x) {
  return __musa_random_uniform((unsigned int)(x >> 32));
}
inline __device__ double __musa_sobol_double(unsigned int x) {
  return ((double)x + 1.0) * (1.0 / (1ull << 32));
}
inline __device__ double __musa_sobol_double(unsigned long long x) {
  return (double)(x >> 11) * (1.0 / (1ull << 53)) + (1.0 / (1ull << 54));
}

/* Normal numbers by the inverse of their distribution; beyond the middle mirrored, where doubles are finer.
 */
inline __device__ float __musa_sobol_normal(unsigned int x) {
  const bool mirrored = x > 0x80000000u;
  const float p = __musa_random_uniform(mirrored ? ~x : x);
  return (mirrored ? 1.4142135f : -1.4142135f) * __musa_gpu_erfcinvf(2.0f * p);
}
inline __device__ float __musa_sobol_normal(unsigned long long x) {
  return __musa_sobol_normal((unsigned int)(x >> 32));
}
inline __device__ double __musa_sobol_normal_double(unsigned int x) {
  const bool mirrored = x > 0x80000000u;
  const double p = (double)(mirrored ? ~x : x) * (1.0 / (1ull << 32)) + (1.0 / (1ull << 33));
  return (mirrored ? 1.4142135623730951 : -1.4142135623730951) * __musa_gpu_erfcinv(2.0 * p);
}
inline __device__ double __musa_sobol_normal_double(unsigned long long x) {
  const unsigned long long digits = x >> 11;
  const bool mirrored = digits > 1ull << 52;
  const double p =
      (double)(mirrored ? (1ull << 53) - 1 - digits : digits) * (1.0 / (1ull << 53)) + (1.0 / (1ull << 54));
  return (mirrored ? 1.4142135623730951 : -1.4142135623730951) * __musa_gpu_erfcinv(2.0 * p);
}

/* Poisson numbers of one word: by inversion, those of large lambdas by a normal number. */
template <class Word>
inline __device__ unsigned int __musa_sobol_poisson(Word word, double lambda) {
  if (!(lambda > 0.0)) return 0;
  if (lambda < 1000.0) return __musa_poisson_inversion(__musa_sobol_double(word), lambda);
  return __musa_poisson_round(__musa_sobol_normal_double(word), lambda);
}

/* clang-format off: one line a function */
#define MUSASHIM_SOBOL_FUNCTIONS(State, Word)                                                        \
  inline __device__ void skipahead(Word n, State* state) {                                           \
    state->i += n;                                                                                   \
    __musa_sobol_place(state);                                                                       \
  }                                                                                                  \
  inline __device__ Word murand(State* state) { return __musa_sobol_next(state); }                   \
  inline __device__ float murand_uniform(State* state) { return __musa_sobol_float(murand(state)); } \
  inline __device__ double murand_uniform_double(State* state) {                                     \
    return __musa_sobol_double(murand(state));                                                       \
  }                                                                                                  \
  inline __device__ float murand_normal(State* state) { return __musa_sobol_normal(murand(state)); } \
  inline __device__ double murand_normal_double(State* state) {                                      \
    return __musa_sobol_normal_double(murand(state));                                                \
  }                                                                                                  \
  inline __device__ float murand_log_normal(State* state, float mean, float stddev) {                \
    return __musa_log_normal(murand_normal(state), mean, stddev);                                    \
  }                                                                                                  \
  inline __device__ double murand_log_normal_double(State* state, double mean, double stddev) {      \
    return __musa_log_normal(murand_normal_double(state), mean, stddev);                             \
  }                                                                                                  \
  inline __device__ unsigned int murand_poisson(State* state, double lambda) {                       \
    return __musa_sobol_poisson(murand(state), lambda);                                              \
  }
/* clang-format on */
MUSASHIM_SOBOL_FUNCTIONS(murandStateSobol32_t, unsigned int)
MUSASHIM_SOBOL_FUNCTIONS(murandStateScrambledSobol32_t, unsigned int)
MUSASHIM_SOBOL_FUNCTIONS(murandStateSobol64_t, unsigned long long)
MUSASHIM_SOBOL_FUNCTIONS(murandStateScrambledSobol64_t, unsigned long long)
#undef MUSASHIM_SOBOL_FUNCTIONS

inline __device__ void murand_init(murandDirectionVectors32_t vectors, unsigned int offset,
                                   murandStateSobol32_t* state) {
  __musa_sobol_init(vectors, 0u, offset, state);
}
inline __device__ void murand_init(murandDirectionVectors32_t vectors, unsigned int scramble_c,
                                   unsigned int offset, murandStateScrambledSobol32_t* state) {
  __musa_sobol_init(vectors, scramble_c, offset, state);
}
inline __device__ void murand_init(murandDirectionVectors64_t vectors, unsigned long long offset,
                                   murandStateSobol64_t* state) {
  __musa_sobol_init(vectors, 0ull, offset, state);
}
inline __device__ void murand_init(murandDirectionVectors64_t vectors, unsigned long long scramble_c,
                                   unsigned long long offset, murandStateScrambledSobol64_t* state) {
  __musa_sobol_init(vectors, scramble_c, offset, state);
}

#endif
