/* Philox4x32-10 (Salmon and others, Parallel random numbers: as easy as 1, 2, 3, 2011). The counter's upper
 * half is the sequence, the key the seed, as cuRAND has them (recorded: conformance case
 * library.random_numbers). */
#ifndef MUSASHIM_CRT_RANDOM_PHILOX_H
#define MUSASHIM_CRT_RANDOM_PHILOX_H

#include "host_defines.h"

struct murandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned int STATE; /* which word of the output is next */
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct murandStatePhilox4_32_10 murandStatePhilox4_32_10_t;
/* The vendor's name. */
typedef struct murandStatePhilox4_32_10 murand_state_philox4x32_10;

inline __device__ uint4 murand_Philox4x32_10(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long p = 0xd2511f53ull * c.x, q = 0xcd9e8d57ull * c.z;
    c = make_uint4((unsigned int)(q >> 32) ^ c.y ^ k.x, (unsigned int)q, (unsigned int)(p >> 32) ^ c.w ^ k.y,
                   (unsigned int)p);
    k.x += 0x9e3779b9u;
    k.y += 0xbb67ae85u;
  }
  return c;
}

/* The counter's upper half takes the carry of its lower half. */
inline __device__ void __musa_philox_count(unsigned long long n, murandStatePhilox4_32_10_t* state) {
  const unsigned long long low = (unsigned long long)state->ctr.y << 32 | state->ctr.x, sum = low + n;
  state->ctr.x = (unsigned int)sum;
  state->ctr.y = (unsigned int)(sum >> 32);
  if (sum < low && ++state->ctr.z == 0) ++state->ctr.w;
}

inline __device__ void skipahead(unsigned long long n, murandStatePhilox4_32_10_t* state) {
  state->STATE += (unsigned int)(n & 3);
  __musa_philox_count(n / 4 + state->STATE / 4, state);
  state->STATE %= 4;
  state->output = murand_Philox4x32_10(state->ctr, state->key);
}

inline __device__ void skipahead_sequence(unsigned long long n, murandStatePhilox4_32_10_t* state) {
  const unsigned long long sum = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
  state->ctr.z = (unsigned int)sum;
  state->ctr.w = (unsigned int)(sum >> 32);
  state->output = murand_Philox4x32_10(state->ctr, state->key);
}

inline __device__ void murand_init(unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, murandStatePhilox4_32_10_t* state) {
  state->ctr = make_uint4(0, 0, 0, 0);
  state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  state->STATE = 0;
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.f;
  state->boxmuller_extra_double = 0.;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}

inline __device__ unsigned int murand(murandStatePhilox4_32_10_t* state) {
  const unsigned int place = state->STATE;
  const uint4 words = state->output;
  const unsigned int word = place == 0 ? words.x : place == 1 ? words.y : place == 2 ? words.z : words.w;
  skipahead(1, state);
  return word;
}

inline __device__ uint4 murand4(murandStatePhilox4_32_10_t* state) {
  const uint4 a = state->output;
  skipahead(4, state);
  const uint4 b = state->output;
  switch (state->STATE) {
    case 0:
      return a;
    case 1:
      return make_uint4(a.y, a.z, a.w, b.x);
    case 2:
      return make_uint4(a.z, a.w, b.x, b.y);
    default:
      return make_uint4(a.w, b.x, b.y, b.z);
  }
}

#endif
