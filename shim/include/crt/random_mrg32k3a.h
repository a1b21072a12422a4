/* MRG32k3a (L'Ecuyer, Good parameters and implementations for combined multiple recursive random number
 * generators, 1999), with cuRAND's seeds and its sequences of 2^76 numbers (recorded: conformance case
 * library.random_numbers). */
#ifndef MUSASHIM_CRT_RANDOM_MRG32K3A_H
#define MUSASHIM_CRT_RANDOM_MRG32K3A_H

#include "host_defines.h"

struct murandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct murandStateMRG32k3a murandStateMRG32k3a_t;

#define MUSASHIM_MRG_M1 4294967087ull
#define MUSASHIM_MRG_M2 4294944443ull

struct __musa_mrg_matrix {
  unsigned long long at[3][3];
};

inline __device__ void __musa_mrg_square(__musa_mrg_matrix* a, unsigned long long m) {
  const __musa_mrg_matrix b = *a;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      unsigned long long sum = 0;
      for (int i = 0; i < 3; ++i) sum += b.at[row][i] * b.at[i][column] % m;
      a->at[row][column] = sum % m;
    }
  }
}

inline __device__ void __musa_mrg_apply(const __musa_mrg_matrix& a, unsigned long long m, unsigned int* s) {
  unsigned long long result[3];
  for (int row = 0; row < 3; ++row) {
    unsigned long long sum = 0;
    for (int i = 0; i < 3; ++i) sum += a.at[row][i] * s[i] % m;
    result[row] = sum % m;
  }
  for (int i = 0; i < 3; ++i) s[i] = (unsigned int)result[i];
}

/* n times what the two matrices do. */
inline __device__ void __musa_mrg_jump(unsigned long long n, __musa_mrg_matrix a1, __musa_mrg_matrix a2,
                                       murandStateMRG32k3a_t* state) {
  for (; n != 0; n >>= 1) {
    if (n & 1) {
      __musa_mrg_apply(a1, MUSASHIM_MRG_M1, state->s1);
      __musa_mrg_apply(a2, MUSASHIM_MRG_M2, state->s2);
    }
    __musa_mrg_square(&a1, MUSASHIM_MRG_M1);
    __musa_mrg_square(&a2, MUSASHIM_MRG_M2);
  }
}

inline __device__ void skipahead(unsigned long long n, murandStateMRG32k3a_t* state) {
  __musa_mrg_jump(n, {{{0, 1, 0}, {0, 0, 1}, {MUSASHIM_MRG_M1 - 810728, 1403580, 0}}},
                  {{{0, 1, 0}, {0, 0, 1}, {MUSASHIM_MRG_M2 - 1370589, 0, 527612}}}, state);
}

/* The matrices of one step, to the power of 2^76: the sequences that murand_init counts. */
inline __device__ void skipahead_subsequence(unsigned long long n, murandStateMRG32k3a_t* state) {
  __musa_mrg_jump(n,
                  {{{82758667, 1871391091, 4127413238},
                    {3672831523, 69195019, 1871391091},
                    {3672091415, 3528743235, 69195019}}},
                  {{{1511326704, 3759209742, 1610795712},
                    {4292754251, 1511326704, 3889917532},
                    {3859662829, 4292754251, 3708466080}}},
                  state);
}

/* To the power of 2^127. */
inline __device__ void skipahead_sequence(unsigned long long n, murandStateMRG32k3a_t* state) {
  __musa_mrg_jump(n,
                  {{{2427906178, 3580155704, 949770784},
                    {226153695, 1230515664, 3580155704},
                    {1988835001, 986791581, 1230515664}}},
                  {{{1464411153, 277697599, 1610723613},
                    {32183930, 1464411153, 1022607788},
                    {2824425944, 32183930, 2093834863}}},
                  state);
}

inline __device__ void murand_init(unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, murandStateMRG32k3a_t* state) {
  const unsigned long long low = seed == 0 ? 1 : (unsigned int)seed ^ 0x55555555u;
  const unsigned long long high = seed == 0 ? 1 : (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = (unsigned int)((i == 1 ? high : low) * 12345 % MUSASHIM_MRG_M1);
    state->s2[i] = (unsigned int)((i == 1 ? low : high) * 12345 % MUSASHIM_MRG_M2);
  }
  skipahead_subsequence(sequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.f;
  state->boxmuller_extra_double = 0.;
}

/* The next number, from 1 to m1. */
inline __device__ double murand_MRG32k3a(murandStateMRG32k3a_t* state) {
  const unsigned long long p1 =
      (1403580ull * state->s1[1] + (MUSASHIM_MRG_M1 - 810728) * state->s1[0] % MUSASHIM_MRG_M1) %
      MUSASHIM_MRG_M1;
  const unsigned long long p2 =
      (527612ull * state->s2[2] + (MUSASHIM_MRG_M2 - 1370589) * state->s2[0] % MUSASHIM_MRG_M2) %
      MUSASHIM_MRG_M2;
  for (int i = 0; i < 2; ++i) {
    state->s1[i] = state->s1[i + 1];
    state->s2[i] = state->s2[i + 1];
  }
  state->s1[2] = (unsigned int)p1;
  state->s2[2] = (unsigned int)p2;
  return (double)(p1 > p2 ? p1 - p2 : p1 + MUSASHIM_MRG_M1 - p2);
}

/* Spread over the 32-bit numbers. */
inline __device__ unsigned int murand(murandStateMRG32k3a_t* state) {
  return (unsigned int)(murand_MRG32k3a(state) * 1.000000048662);
}

#endif
