/* Products of matrices by a warp, as device code asks the device runtime for them: shape and formats in one
 * word, and the fragments of 32 lanes in memory that they share.
 *
 * Plain C, no includes but <stdint.h>.
 */
#ifndef MUSASHIM_CRT_MATRIX_LAYOUT_H
#define MUSASHIM_CRT_MATRIX_LAYOUT_H

#include <stdint.h>

enum {
  MUSA_MATRIX_F16,
  MUSA_MATRIX_BF16,
  MUSA_MATRIX_TF32, /* 32 bits, the low 13 are not looked at */
  MUSA_MATRIX_E4M3,
  MUSA_MATRIX_E5M2,
  MUSA_MATRIX_F32,
  MUSA_MATRIX_F64,
  MUSA_MATRIX_S8,
  MUSA_MATRIX_U8,
  MUSA_MATRIX_S4,
  MUSA_MATRIX_U4,
  MUSA_MATRIX_B1,
  MUSA_MATRIX_S32
};

enum {
  MUSA_MATRIX_SATURATES = 1,  /* sums of 32 bits end at their limits */
  MUSA_MATRIX_COUNTS_AND = 2, /* of single bits: those that both have; else those that differ */
  /* Of the product of 8 x 8 x 4 by pairs of quads: how A and B lie in their lanes. */
  MUSA_MATRIX_COLUMNS_OF_A = 4,
  MUSA_MATRIX_ROWS_OF_B = 8,
  /* Of products of whole matrices. */
  MUSA_MATRIX_NEGATES_A = 16,
  MUSA_MATRIX_NEGATES_B = 32,
  MUSA_MATRIX_BEGINS_WITH_ZERO = 64 /* d = a b */
};

/* d = a b + c, where a has m x k elements and b k x n. */
#define MUSA_MATRIX_PRODUCT(m, n, k, a, b, c, d, flags)                                                   \
  ((uint64_t)(m) | (uint64_t)(n) << 8 | (uint64_t)(k) << 16 | (uint64_t)(a) << 28 | (uint64_t)(b) << 32 | \
   (uint64_t)(c) << 36 | (uint64_t)(d) << 40 | (uint64_t)(flags) << 44)

/* What a group of 32 lanes shares: words of 32 bits, each for all lanes side by side. Inputs of a product are
 * the words of a, then of b, then of c. Its results are in the last ones. */
/* A squad is 128 threads that follow each other and work on one product, or each 32 of them on one. What they
 * share: sums of 32 bits, from column to column MUSA_SQUAD_PITCH of them apart, of the squad and of each of
 * its warps; then elements of a and of b. */
enum { MUSA_SQUAD_THREADS = 128, MUSA_SQUAD_PITCH = 128, MUSA_SQUAD_FACTOR_BYTES = 4096 };
enum {
  MUSA_SQUAD_WARP_SUMS = MUSA_SQUAD_PITCH * 32 * 4,
  MUSA_SQUAD_WARP_FACTOR_BYTES = MUSA_SQUAD_FACTOR_BYTES / 4
};
enum {
  MUSA_SQUAD_WARPS = MUSA_SQUAD_PITCH * 128 * 4,
  MUSA_SQUAD_A = MUSA_SQUAD_WARPS + 4 * MUSA_SQUAD_WARP_SUMS,
  MUSA_SQUAD_B = MUSA_SQUAD_A + MUSA_SQUAD_FACTOR_BYTES,
  MUSA_SQUAD_BYTES = MUSA_SQUAD_B + MUSA_SQUAD_FACTOR_BYTES
};

/* Added to the number of a squad: its own barrier (__musa_barrier_wait), which waits for its threads. */
enum { MUSA_BARRIER_OF_SQUAD = 256 };
/* The same of the barriers that count warps and copied bytes. */
enum { MUSA_BARRIER_OF_COPIES = 512, MUSA_COPY_BARRIERS = 64 };

/* Where a factor lies in shared memory: `address` of its first element, its rows, or its columns, `stride`
 * bytes apart, and how 16 << (granule - 1) bytes of each 256 bytes change places: their number is combined by
 * xor with that of the 256 bytes; granule 0: they stay. */
#define MUSA_SHARED_FACTOR(address, stride, granule, columns) \
  ((uint64_t)(address) | (uint64_t)(stride) << 32 | (uint64_t)(granule) << 48 | (uint64_t)(columns) << 56)

enum { MUSA_EXCHANGE_INPUTS = 24, MUSA_EXCHANGE_RESULTS = 8, MUSA_EXCHANGE_BYTES = (24 + 8) * 32 * 4 + 64 };

#endif
