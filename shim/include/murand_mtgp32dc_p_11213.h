/* MTGP32's 200 sets of parameters, in host code. */
#ifndef MURAND_MTGP32DC_P_11213_H
#define MURAND_MTGP32DC_P_11213_H

#include "crt/random_mtgp32_sets.h"
#include "murand_mtgp32.h"

struct __musa_mtgp32_table {
  mtgp32_params_fast_t sets[MURAND_NUM_MTGP32_PARAMS];
};

static constexpr unsigned char __musa_mtgp32_digit(char letter) {
  return (unsigned char)(letter <= '9' ? letter - '0' : letter - 'a' + 10);
}

static constexpr __musa_mtgp32_table __musa_mtgp32_spread() {
  __musa_mtgp32_table table = {};
  for (int i = 0; i < MURAND_NUM_MTGP32_PARAMS; ++i) {
    const __musa_mtgp32_set& set = __musa_mtgp32_sets[i];
    mtgp32_params_fast_t& params = table.sets[i];
    params.mexp = MTGPDC_MEXP;
    params.pos = set.pos;
    params.sh1 = set.sh1;
    params.sh2 = set.sh2;
    params.mask = 0xfff80000u;
    for (unsigned int digits = 0; digits < 16; ++digits) {
      for (int bit = 0; bit < 4; ++bit) {
        if (!(digits >> bit & 1)) continue;
        params.tbl[digits] ^= set.tbl[bit];
        params.tmp_tbl[digits] ^= set.tmp_tbl[bit];
      }
      params.flt_tmp_tbl[digits] = 0x3f800000u | params.tmp_tbl[digits] >> 9;
    }
    for (int k = 0; k < 20; ++k)
      params.poly_sha1[k] = (unsigned char)(__musa_mtgp32_digit(set.poly_sha1[2 * k]) << 4 |
                                            __musa_mtgp32_digit(set.poly_sha1[2 * k + 1]));
  }
  return table;
}

static __musa_mtgp32_table __musa_mtgp32_params = __musa_mtgp32_spread();
static mtgp32_params_fast_t (&mtgp32dc_params_fast_11213)[MURAND_NUM_MTGP32_PARAMS] =
    __musa_mtgp32_params.sets;
static const int mtgpdc_params_11213_num = MURAND_NUM_MTGP32_PARAMS;

#endif
