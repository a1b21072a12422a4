/* How host code makes MTGP32's states for kernels: parameters first, then states that refer to them. */
#ifndef MURAND_MTGP32_HOST_H
#define MURAND_MTGP32_HOST_H

#include <stdlib.h>
#include <string.h>

#include "murand.h"
#include "murand_mtgp32.h"
#include "murand_mtgp32dc_p_11213.h"

/* The seed of the generator at a place: both halves of the user's, and different ones for neighbours. */
static inline unsigned int __musa_mtgp32_seed(unsigned long long seed, unsigned int place) {
  return (unsigned int)(seed ^ (seed >> 32)) + place + 1;
}

/* A sequence's first MTGPDC_N words, by the recursion that MTGP publishes. */
static inline void mtgp32_init_state(unsigned int* words, const mtgp32_params_fast_t* params,
                                     unsigned int seed) {
  const unsigned int hidden = params->tbl[4] ^ (params->tbl[8] << 16);
  unsigned int fill = hidden;
  fill += fill >> 16;
  fill += fill >> 8;
  memset(words, (int)(fill & 0xff), MTGPDC_N * sizeof(unsigned int));
  words[0] = seed;
  words[1] = hidden;
  for (int i = 1; i < MTGPDC_N; ++i)
    words[i] ^= 1812433253u * (words[i - 1] ^ (words[i - 1] >> 30)) + (unsigned int)i;
}

/* Puts 200 sets of parameters into p, device memory, as kernels read them. */
static inline murandStatus_t murandMakeMTGP32Constants(const mtgp32_params_fast_t params[],
                                                       mtgp32_kernel_params_t* p) {
  mtgp32_kernel_params_t* const host = (mtgp32_kernel_params_t*)malloc(sizeof(mtgp32_kernel_params_t));
  if (host == NULL) return MURAND_STATUS_ALLOCATION_FAILED;
  for (int i = 0; i < MURAND_NUM_MTGP32_PARAMS; ++i) {
    host->pos_tbl[i] = (unsigned int)params[i].pos;
    host->sh1_tbl[i] = (unsigned int)params[i].sh1;
    host->sh2_tbl[i] = (unsigned int)params[i].sh2;
    memcpy(host->param_tbl[i], params[i].tbl, sizeof params[i].tbl);
    memcpy(host->temper_tbl[i], params[i].tmp_tbl, sizeof params[i].tmp_tbl);
    memcpy(host->single_temper_tbl[i], params[i].flt_tmp_tbl, sizeof params[i].flt_tmp_tbl);
  }
  host->mask[0] = params[0].mask;
  const musaError_t error = musaMemcpy(p, host, sizeof *host, musaMemcpyHostToDevice);
  free(host);
  return error == musaSuccess ? MURAND_STATUS_SUCCESS : MURAND_STATUS_INITIALIZATION_FAILED;
}

/* Puts n states into s, device memory, the first for the first set of parameters; k is what
 * murandMakeMTGP32Constants filled. MURAND_STATUS_OUT_OF_RANGE for more states than sets. */
static inline murandStatus_t murandMakeMTGP32KernelState(murandStateMtgp32_t* s,
                                                         mtgp32_params_fast_t params[],
                                                         mtgp32_kernel_params_t* k, int n,
                                                         unsigned long long seed) {
  if (n < 0 || n > MURAND_NUM_MTGP32_PARAMS) return MURAND_STATUS_OUT_OF_RANGE;
  if (n == 0) return MURAND_STATUS_SUCCESS;
  murandStateMtgp32_t* const host = (murandStateMtgp32_t*)calloc((size_t)n, sizeof(murandStateMtgp32_t));
  if (host == NULL) return MURAND_STATUS_ALLOCATION_FAILED;
  for (int i = 0; i < n; ++i) {
    mtgp32_init_state(host[i].s, &params[i], __musa_mtgp32_seed(seed, (unsigned int)i));
    host[i].pIdx = i;
    host[i].k = k;
  }
  const musaError_t error = musaMemcpy(s, host, (size_t)n * sizeof *host, musaMemcpyHostToDevice);
  free(host);
  return error == musaSuccess ? MURAND_STATUS_SUCCESS : MURAND_STATUS_INITIALIZATION_FAILED;
}

#endif
