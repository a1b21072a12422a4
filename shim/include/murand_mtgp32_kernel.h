/* MTGP32 in kernels: cuRAND's sequences. The threads of a block share a state, at most 256 of them, and all
 * call together; or those that a caller numbers (`_specific`), where all threads of the block still call. */
#ifndef MURAND_MTGP32_KERNEL_H
#define MURAND_MTGP32_KERNEL_H

#include "crt/random_sobol.h"
#include "murand_mtgp32.h"

/* They synchronise a block: another C++ compiler, of a program whose host sources include the header, has no
 * such. */
#if defined(__MUSACC__)

/* A step of the thread `index` of `n`: the new word, and by what it is tempered. */
struct __musa_mtgp32_step {
  unsigned int word, digits;
};
inline __device__ __musa_mtgp32_step __musa_mtgp32_next(murandStateMtgp32_t* state, unsigned int index,
                                                        unsigned int n) {
  const mtgp32_kernel_params_t* const k = state->k;
  unsigned int* const s = state->s;
  const unsigned int set = (unsigned int)state->pIdx, offset = (unsigned int)state->offset;
  const unsigned int at = offset + index, pos = k->pos_tbl[set];
  unsigned int x = (s[at & MTGP32_STATE_MASK] & k->mask[0]) ^ s[(at + 1) & MTGP32_STATE_MASK];
  x ^= x << k->sh1_tbl[set];
  x ^= s[(at + pos) & MTGP32_STATE_MASK] >> k->sh2_tbl[set];
  x ^= k->param_tbl[set][x & 15];
  unsigned int digits = s[(at + pos - 1) & MTGP32_STATE_MASK];
  digits ^= digits >> 16;
  digits ^= digits >> 8;
  s[(at + MTGPDC_N) & MTGP32_STATE_MASK] = x;
  __syncthreads();
  if (index == 0) state->offset = (int)((offset + n) & MTGP32_STATE_MASK);
  __syncthreads();
  return __musa_mtgp32_step{x, digits & 15};
}

inline __device__ unsigned int __musa_mtgp32_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
inline __device__ unsigned int __musa_mtgp32_threads() { return blockDim.x * blockDim.y * blockDim.z; }

inline __device__ unsigned int murand_mtgp32_specific(murandStateMtgp32_t* state, unsigned int index,
                                                      unsigned int n) {
  const __musa_mtgp32_step step = __musa_mtgp32_next(state, index, n);
  return step.word ^ state->k->temper_tbl[state->pIdx][step.digits];
}
inline __device__ unsigned int murand(murandStateMtgp32_t* state) {
  return murand_mtgp32_specific(state, __musa_mtgp32_thread(), __musa_mtgp32_threads());
}

/* Floats in [1, 2), of 23 bits. */
inline __device__ float murand_mtgp32_single_specific(murandStateMtgp32_t* state, unsigned int index,
                                                      unsigned int n) {
  const __musa_mtgp32_step step = __musa_mtgp32_next(state, index, n);
  return __uint_as_float(step.word >> 9 ^ state->k->single_temper_tbl[state->pIdx][step.digits]);
}
inline __device__ float murand_mtgp32_single(murandStateMtgp32_t* state) {
  return murand_mtgp32_single_specific(state, __musa_mtgp32_thread(), __musa_mtgp32_threads());
}

/* One word each, since all threads call together. */
inline __device__ double murand_uniform_double(murandStateMtgp32_t* state) {
  return __musa_sobol_double(murand(state));
}
inline __device__ float murand_normal(murandStateMtgp32_t* state) {
  return __musa_sobol_normal(murand(state));
}
inline __device__ double murand_normal_double(murandStateMtgp32_t* state) {
  return __musa_sobol_normal_double(murand(state));
}
inline __device__ float murand_log_normal(murandStateMtgp32_t* state, float mean, float stddev) {
  return __musa_log_normal(murand_normal(state), mean, stddev);
}
inline __device__ double murand_log_normal_double(murandStateMtgp32_t* state, double mean, double stddev) {
  return exp(mean + stddev * murand_normal_double(state));
}
inline __device__ unsigned int murand_poisson(murandStateMtgp32_t* state, double lambda) {
  return __musa_sobol_poisson(murand(state), lambda);
}

#endif /* __MUSACC__ */

#endif
