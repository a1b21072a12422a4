/* MTGP32's types: sets of parameters, the same as kernels read them, and a state, which the threads of one
 * block share. Layouts are cuRAND's. */
#ifndef MURAND_MTGP32_H
#define MURAND_MTGP32_H

#define MTGPDC_MEXP 11213
#define MTGPDC_N 351
#define MTGPDC_FLOOR_2P 256
#define MTGPDC_CEIL_2P 512
#define MTGPDC_PARAM_TABLE mtgp32dc_params_fast_11213
#define MTGP32_STATE_SIZE 1024
#define MTGP32_STATE_MASK 1023
#define MURAND_NUM_MTGP32_PARAMS 200

typedef struct MTGP32_PARAMS_FAST_T {
  int mexp; /* the period is 2^mexp - 1 */
  int pos;  /* of the third word of a step */
  int sh1, sh2;
  unsigned int tbl[16];         /* of the recursion, by four digits */
  unsigned int tmp_tbl[16];     /* of the tempering */
  unsigned int flt_tmp_tbl[16]; /* of the tempering of floats in [1, 2) */
  unsigned int mask;
  unsigned char poly_sha1[21]; /* of the characteristic polynomial */
} mtgp32_params_fast_t;

struct mtgp32_kernel_params {
  unsigned int pos_tbl[MURAND_NUM_MTGP32_PARAMS];
  unsigned int param_tbl[MURAND_NUM_MTGP32_PARAMS][16];
  unsigned int temper_tbl[MURAND_NUM_MTGP32_PARAMS][16];
  unsigned int single_temper_tbl[MURAND_NUM_MTGP32_PARAMS][16];
  unsigned int sh1_tbl[MURAND_NUM_MTGP32_PARAMS];
  unsigned int sh2_tbl[MURAND_NUM_MTGP32_PARAMS];
  unsigned int mask[1];
};
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;

struct murandStateMtgp32 {
  unsigned int s[MTGP32_STATE_SIZE]; /* a ring */
  int offset;                        /* of the oldest of its MTGPDC_N words */
  int pIdx;                          /* which set of parameters */
  mtgp32_kernel_params_t* k;
};
typedef struct murandStateMtgp32 murandStateMtgp32_t;

#endif
