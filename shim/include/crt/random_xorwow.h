/* XORWOW: Marsaglia's xorshift generator of 160 bits with a Weyl sequence (Xorshift RNGs, 2003). Seeds,
 * sequences and bits are cuRAND's (recorded: conformance case library.random_numbers). */
#ifndef MUSASHIM_CRT_RANDOM_XORWOW_H
#define MUSASHIM_CRT_RANDOM_XORWOW_H

#include "random_jumps.h"

struct murandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct murandStateXORWOW murandStateXORWOW_t;

inline __device__ void __musa_xorwow_step(unsigned int* v) {
  const unsigned int t = v[0] ^ (v[0] >> 2);
  for (int i = 0; i < 4; ++i) v[i] = v[i + 1];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

/* As many steps as `distance` says times what the table's polynomials are for: the sum of the states at the
 * powers that a polynomial has. */
inline __device__ void __musa_xorwow_jump(unsigned long long distance, const unsigned int* table,
                                          unsigned int* v) {
  for (; distance != 0; distance >>= 4, table += 15 * 5) {
    const unsigned int digit = distance & 15;
    if (digit == 0) continue;
    const unsigned int* const polynomial = table + (digit - 1) * 5;
    unsigned int sum[5] = {};
    for (int power = 0; power < 160; ++power) {
      const unsigned int mask = 0u - (polynomial[power / 32] >> (power % 32) & 1u);
      for (int i = 0; i < 5; ++i) sum[i] ^= v[i] & mask;
      __musa_xorwow_step(v);
    }
    for (int i = 0; i < 5; ++i) v[i] = sum[i];
  }
}

inline __device__ void skipahead(unsigned long long n, murandStateXORWOW_t* state) {
  __musa_xorwow_jump(n, __musa_xorwow_offsets(), state->v);
  state->d += 362437u * (unsigned int)n;
}

inline __device__ void skipahead_sequence(unsigned long long n, murandStateXORWOW_t* state) {
  __musa_xorwow_jump(n, __musa_xorwow_sequences(), state->v);
}

inline __device__ void murand_init(unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, murandStateXORWOW_t* state) {
  const unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.f;
  state->boxmuller_extra_double = 0.;
}

inline __device__ unsigned int murand(murandStateXORWOW_t* state) {
  __musa_xorwow_step(state->v);
  state->d += 362437u;
  return state->v[4] + state->d;
}

#endif
