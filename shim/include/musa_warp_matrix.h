/* PTX's matrix instructions as functions: mma, ldmatrix, stmatrix, movmatrix and wmma, with the fragment
 * layouts of the PTX ISA ("Warp Level Matrix Multiply-Accumulate Instructions"). Inline PTX becomes these.
 * They are about 32 lanes, all of which call them; on a device with 128 lanes a warp, every 32 of them work
 * on their own.
 *
 * Sums of short floating-point numbers have the bits of H200's. Registers of wmma hold what those of mma
 * hold, where PTX leaves that open.
 *
 * The vendor's SDK has no such header.
 */
#ifndef MUSASHIM_MUSA_WARP_MATRIX_H
#define MUSASHIM_MUSA_WARP_MATRIX_H

#if defined(__MUSACC__)

#include "crt/matrix_fragments.h"

/* -- ldmatrix, stmatrix, movmatrix: 8 x 8 matrices of 16 bits ------------------------------ */

/* The rows of matrix i are at the addresses that lanes 8 * i to 8 * i + 7 give. */
#define MUSASHIM_MATRIX_MOVES(kCount)                                                            \
  MUSASHIM_D musashimWords<kCount> __musa_warp_ldmatrix_x##kCount(const void* row) {                  \
    return musashimLoadMatrices<kCount, false>(row);                                             \
  }                                                                                              \
  MUSASHIM_D musashimWords<kCount> __musa_warp_ldmatrix_x##kCount##_trans(const void* row) {          \
    return musashimLoadMatrices<kCount, true>(row);                                              \
  }                                                                                              \
  MUSASHIM_D void __musa_warp_stmatrix_x##kCount(void* row, musashimWords<kCount> matrices) {         \
    musashimStoreMatrices<kCount, false>(row, matrices);                                         \
  }                                                                                              \
  MUSASHIM_D void __musa_warp_stmatrix_x##kCount##_trans(void* row, musashimWords<kCount> matrices) { \
    musashimStoreMatrices<kCount, true>(row, matrices);                                          \
  }                                                                                              \
  static_assert(true, "takes the semicolon")
MUSASHIM_MATRIX_MOVES(1);
MUSASHIM_MATRIX_MOVES(2);
MUSASHIM_MATRIX_MOVES(4);
#undef MUSASHIM_MATRIX_MOVES

MUSASHIM_D unsigned int __musa_warp_movmatrix_trans(unsigned int matrix) {
  const unsigned int lane = musashimLane();
  musashimPutMatrices<1, false>(lane, matrix);
  musashimMeet();
  const unsigned int result = musashimGetMatrices<1, true>(lane);
  musashimMeet();
  return result;
}

/* -- mma.sync: d = a b + c. Names say shape and formats of d, a, b and c --------------------- */
// clang-format off: a table
#define MUSASHIM_MMA(name, M, N, K, D, A, B, C, kFlags)                                                             \
  MUSASHIM_D musashimSums<M, N, __mma_##D> __musa_warp_mma_##name(                                                       \
      musashimFactors<M * K, __mma_##A> a, musashimFactors<K * N, __mma_##B> b, musashimSums<M, N, __mma_##C> c) {  \
    return musashimMma<M, N, K, __mma_##D, __mma_##A, __mma_##B, __mma_##C, kFlags>(a, b, c);                       \
  }                                                                                                                 \
  static_assert(true, "takes the semicolon")
/* Four products of 8 x 8 x 4, each by a pair of quads: lanes 0 to 3 and 16 to 19, 4 to 7 and 20 to 23, ... */
#define MUSASHIM_MMA_PAIRS(name, D, C, kFlags)                                                                      \
  MUSASHIM_D musashimSums<16, 16, __mma_##D> __musa_warp_mma_##name(uint2 a, uint2 b,                               \
                                                                    musashimSums<16, 16, __mma_##C> c) {            \
    constexpr uint64_t kProduct = MUSA_MATRIX_PRODUCT(8, 8, 4, MUSA_MATRIX_F16, MUSA_MATRIX_F16, __mma_##C::format, \
                                                      __mma_##D::format, kFlags);                                   \
    return musashimMultiply<musashimSums<16, 16, __mma_##D>, kProduct>(a, b, c);                                    \
  }                                                                                                                 \
  static_assert(true, "takes the semicolon")
MUSASHIM_MMA(m16n8k8_f32_f16_f16_f32, 16, 8, 8, f32, f16, f16, f32, 0);
MUSASHIM_MMA(m16n8k8_f16_f16_f16_f16, 16, 8, 8, f16, f16, f16, f16, 0);
MUSASHIM_MMA(m16n8k8_f32_bf16_bf16_f32, 16, 8, 8, f32, bf16, bf16, f32, 0);
MUSASHIM_MMA(m16n8k16_f32_f16_f16_f32, 16, 8, 16, f32, f16, f16, f32, 0);
MUSASHIM_MMA(m16n8k16_f16_f16_f16_f16, 16, 8, 16, f16, f16, f16, f16, 0);
MUSASHIM_MMA(m16n8k16_f32_bf16_bf16_f32, 16, 8, 16, f32, bf16, bf16, f32, 0);
MUSASHIM_MMA(m16n8k4_f32_tf32_tf32_f32, 16, 8, 4, f32, tf32, tf32, f32, 0);
MUSASHIM_MMA(m16n8k8_f32_tf32_tf32_f32, 16, 8, 8, f32, tf32, tf32, f32, 0);
MUSASHIM_MMA(m16n8k32_f32_e4m3_e4m3_f32, 16, 8, 32, f32, e4m3, e4m3, f32, 0);
MUSASHIM_MMA(m16n8k32_f32_e4m3_e5m2_f32, 16, 8, 32, f32, e4m3, e5m2, f32, 0);
MUSASHIM_MMA(m16n8k32_f32_e5m2_e4m3_f32, 16, 8, 32, f32, e5m2, e4m3, f32, 0);
MUSASHIM_MMA(m16n8k32_f32_e5m2_e5m2_f32, 16, 8, 32, f32, e5m2, e5m2, f32, 0);
MUSASHIM_MMA(m8n8k4_f64_f64_f64_f64, 8, 8, 4, f64, f64, f64, f64, 0);
MUSASHIM_MMA(m8n8k16_s32_s8_s8_s32, 8, 8, 16, s32, s8, s8, s32, 0);
MUSASHIM_MMA(m8n8k16_s32_s8_s8_s32_satfinite, 8, 8, 16, s32, s8, s8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m8n8k16_s32_s8_u8_s32, 8, 8, 16, s32, s8, u8, s32, 0);
MUSASHIM_MMA(m8n8k16_s32_s8_u8_s32_satfinite, 8, 8, 16, s32, s8, u8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m8n8k16_s32_u8_s8_s32, 8, 8, 16, s32, u8, s8, s32, 0);
MUSASHIM_MMA(m8n8k16_s32_u8_s8_s32_satfinite, 8, 8, 16, s32, u8, s8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m8n8k16_s32_u8_u8_s32, 8, 8, 16, s32, u8, u8, s32, 0);
MUSASHIM_MMA(m8n8k16_s32_u8_u8_s32_satfinite, 8, 8, 16, s32, u8, u8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k16_s32_s8_s8_s32, 16, 8, 16, s32, s8, s8, s32, 0);
MUSASHIM_MMA(m16n8k16_s32_s8_s8_s32_satfinite, 16, 8, 16, s32, s8, s8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k16_s32_s8_u8_s32, 16, 8, 16, s32, s8, u8, s32, 0);
MUSASHIM_MMA(m16n8k16_s32_s8_u8_s32_satfinite, 16, 8, 16, s32, s8, u8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k16_s32_u8_s8_s32, 16, 8, 16, s32, u8, s8, s32, 0);
MUSASHIM_MMA(m16n8k16_s32_u8_s8_s32_satfinite, 16, 8, 16, s32, u8, s8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k16_s32_u8_u8_s32, 16, 8, 16, s32, u8, u8, s32, 0);
MUSASHIM_MMA(m16n8k16_s32_u8_u8_s32_satfinite, 16, 8, 16, s32, u8, u8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k32_s32_s8_s8_s32, 16, 8, 32, s32, s8, s8, s32, 0);
MUSASHIM_MMA(m16n8k32_s32_s8_s8_s32_satfinite, 16, 8, 32, s32, s8, s8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k32_s32_s8_u8_s32, 16, 8, 32, s32, s8, u8, s32, 0);
MUSASHIM_MMA(m16n8k32_s32_s8_u8_s32_satfinite, 16, 8, 32, s32, s8, u8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k32_s32_u8_s8_s32, 16, 8, 32, s32, u8, s8, s32, 0);
MUSASHIM_MMA(m16n8k32_s32_u8_s8_s32_satfinite, 16, 8, 32, s32, u8, s8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k32_s32_u8_u8_s32, 16, 8, 32, s32, u8, u8, s32, 0);
MUSASHIM_MMA(m16n8k32_s32_u8_u8_s32_satfinite, 16, 8, 32, s32, u8, u8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m8n8k32_s32_s4_s4_s32, 8, 8, 32, s32, s4, s4, s32, 0);
MUSASHIM_MMA(m8n8k32_s32_s4_s4_s32_satfinite, 8, 8, 32, s32, s4, s4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m8n8k32_s32_s4_u4_s32, 8, 8, 32, s32, s4, u4, s32, 0);
MUSASHIM_MMA(m8n8k32_s32_s4_u4_s32_satfinite, 8, 8, 32, s32, s4, u4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m8n8k32_s32_u4_s4_s32, 8, 8, 32, s32, u4, s4, s32, 0);
MUSASHIM_MMA(m8n8k32_s32_u4_s4_s32_satfinite, 8, 8, 32, s32, u4, s4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m8n8k32_s32_u4_u4_s32, 8, 8, 32, s32, u4, u4, s32, 0);
MUSASHIM_MMA(m8n8k32_s32_u4_u4_s32_satfinite, 8, 8, 32, s32, u4, u4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k32_s32_s4_s4_s32, 16, 8, 32, s32, s4, s4, s32, 0);
MUSASHIM_MMA(m16n8k32_s32_s4_s4_s32_satfinite, 16, 8, 32, s32, s4, s4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k32_s32_s4_u4_s32, 16, 8, 32, s32, s4, u4, s32, 0);
MUSASHIM_MMA(m16n8k32_s32_s4_u4_s32_satfinite, 16, 8, 32, s32, s4, u4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k32_s32_u4_s4_s32, 16, 8, 32, s32, u4, s4, s32, 0);
MUSASHIM_MMA(m16n8k32_s32_u4_s4_s32_satfinite, 16, 8, 32, s32, u4, s4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k32_s32_u4_u4_s32, 16, 8, 32, s32, u4, u4, s32, 0);
MUSASHIM_MMA(m16n8k32_s32_u4_u4_s32_satfinite, 16, 8, 32, s32, u4, u4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k64_s32_s4_s4_s32, 16, 8, 64, s32, s4, s4, s32, 0);
MUSASHIM_MMA(m16n8k64_s32_s4_s4_s32_satfinite, 16, 8, 64, s32, s4, s4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k64_s32_s4_u4_s32, 16, 8, 64, s32, s4, u4, s32, 0);
MUSASHIM_MMA(m16n8k64_s32_s4_u4_s32_satfinite, 16, 8, 64, s32, s4, u4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k64_s32_u4_s4_s32, 16, 8, 64, s32, u4, s4, s32, 0);
MUSASHIM_MMA(m16n8k64_s32_u4_s4_s32_satfinite, 16, 8, 64, s32, u4, s4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m16n8k64_s32_u4_u4_s32, 16, 8, 64, s32, u4, u4, s32, 0);
MUSASHIM_MMA(m16n8k64_s32_u4_u4_s32_satfinite, 16, 8, 64, s32, u4, u4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_MMA(m8n8k128_xor_popc, 8, 8, 128, s32, b1, b1, s32, 0);
MUSASHIM_MMA(m8n8k128_and_popc, 8, 8, 128, s32, b1, b1, s32, MUSA_MATRIX_COUNTS_AND);
MUSASHIM_MMA(m16n8k128_xor_popc, 16, 8, 128, s32, b1, b1, s32, 0);
MUSASHIM_MMA(m16n8k128_and_popc, 16, 8, 128, s32, b1, b1, s32, MUSA_MATRIX_COUNTS_AND);
MUSASHIM_MMA(m16n8k256_xor_popc, 16, 8, 256, s32, b1, b1, s32, 0);
MUSASHIM_MMA(m16n8k256_and_popc, 16, 8, 256, s32, b1, b1, s32, MUSA_MATRIX_COUNTS_AND);
MUSASHIM_MMA_PAIRS(m8n8k4_row_row_f32_f16_f16_f32, f32, f32, MUSA_MATRIX_ROWS_OF_B);
MUSASHIM_MMA_PAIRS(m8n8k4_row_row_f32_f16_f16_f16, f32, f16, MUSA_MATRIX_ROWS_OF_B);
MUSASHIM_MMA_PAIRS(m8n8k4_row_row_f16_f16_f16_f32, f16, f32, MUSA_MATRIX_ROWS_OF_B);
MUSASHIM_MMA_PAIRS(m8n8k4_row_row_f16_f16_f16_f16, f16, f16, MUSA_MATRIX_ROWS_OF_B);
MUSASHIM_MMA_PAIRS(m8n8k4_row_col_f32_f16_f16_f32, f32, f32, 0);
MUSASHIM_MMA_PAIRS(m8n8k4_row_col_f32_f16_f16_f16, f32, f16, 0);
MUSASHIM_MMA_PAIRS(m8n8k4_row_col_f16_f16_f16_f32, f16, f32, 0);
MUSASHIM_MMA_PAIRS(m8n8k4_row_col_f16_f16_f16_f16, f16, f16, 0);
MUSASHIM_MMA_PAIRS(m8n8k4_col_row_f32_f16_f16_f32, f32, f32, MUSA_MATRIX_COLUMNS_OF_A | MUSA_MATRIX_ROWS_OF_B);
MUSASHIM_MMA_PAIRS(m8n8k4_col_row_f32_f16_f16_f16, f32, f16, MUSA_MATRIX_COLUMNS_OF_A | MUSA_MATRIX_ROWS_OF_B);
MUSASHIM_MMA_PAIRS(m8n8k4_col_row_f16_f16_f16_f32, f16, f32, MUSA_MATRIX_COLUMNS_OF_A | MUSA_MATRIX_ROWS_OF_B);
MUSASHIM_MMA_PAIRS(m8n8k4_col_row_f16_f16_f16_f16, f16, f16, MUSA_MATRIX_COLUMNS_OF_A | MUSA_MATRIX_ROWS_OF_B);
MUSASHIM_MMA_PAIRS(m8n8k4_col_col_f32_f16_f16_f32, f32, f32, MUSA_MATRIX_COLUMNS_OF_A);
MUSASHIM_MMA_PAIRS(m8n8k4_col_col_f32_f16_f16_f16, f32, f16, MUSA_MATRIX_COLUMNS_OF_A);
MUSASHIM_MMA_PAIRS(m8n8k4_col_col_f16_f16_f16_f32, f16, f32, MUSA_MATRIX_COLUMNS_OF_A);
MUSASHIM_MMA_PAIRS(m8n8k4_col_col_f16_f16_f16_f16, f16, f16, MUSA_MATRIX_COLUMNS_OF_A);
#undef MUSASHIM_MMA
#undef MUSASHIM_MMA_PAIRS

/* -- wmma: fragments of whole matrices, whose rows, or columns, follow each other `stride` elements apart,
 * or as closely as can be where that is 0 -- */
#define MUSASHIM_WMMA_FACTORS(name, M, N, K, T)                                                                      \
  MUSASHIM_D musashimRegisters<M * K, __mma_##T> __musa_warp_wmma_load_a_##name(const void* matrix, unsigned int stride,  \
                                                                           bool rows) {                              \
    musashimMeet();                                                                                                    \
    return musashimLoadFactors<M, (M < 16 ? 8 : 16), K, __mma_##T>(matrix, stride, rows);                            \
  }                                                                                                                  \
  MUSASHIM_D musashimRegisters<K * N, __mma_##T> __musa_warp_wmma_load_b_##name(const void* matrix, unsigned int stride,  \
                                                                           bool rows) {                              \
    musashimMeet();                                                                                                    \
    return musashimLoadFactors<N, 8, K, __mma_##T>(matrix, stride, !rows);                                           \
  }                                                                                                                  \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_WMMA_SUMS(name, M, N, K, T)                                                                       \
  MUSASHIM_D musashimSums<M, N, __mma_##T> __musa_warp_wmma_load_c_##name(const void* matrix, unsigned int stride,      \
                                                                     bool rows) {                                  \
    musashimMeet();                                                                                                  \
    return musashimLoadSums<M, N, __mma_##T>(matrix, stride, rows);                                                \
  }                                                                                                                \
  MUSASHIM_D void __musa_warp_wmma_store_d_##name(void* matrix, musashimSums<M, N, __mma_##T> d, unsigned int stride,   \
                                             bool rows) {                                                          \
    musashimMeet();                                                                                                  \
    musashimStoreSums<M, N, __mma_##T>(matrix, d, stride, rows);                                                   \
    musashimMeet();                                                                                                  \
  }                                                                                                                \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_WMMA_MMA(name, M, N, K, D, A, B, C, kFlags)                                                \
  MUSASHIM_D musashimSums<M, N, __mma_##D> __musa_warp_wmma_mma_##name(musashimRegisters<M * K, __mma_##A> a,    \
                                                                  musashimRegisters<K * N, __mma_##B> b,    \
                                                                  musashimSums<M, N, __mma_##C> c) {        \
    return musashimMma<M, N, K, __mma_##D, __mma_##A, __mma_##B, __mma_##C, kFlags>(                        \
        musashimCast<musashimFactors<M * K, __mma_##A>>(a), musashimCast<musashimFactors<K * N, __mma_##B>>(b), c); \
  }                                                                                                         \
  static_assert(true, "takes the semicolon")
MUSASHIM_WMMA_FACTORS(m16n16k16_f16, 16, 16, 16, f16);
MUSASHIM_WMMA_FACTORS(m16n16k16_bf16, 16, 16, 16, bf16);
MUSASHIM_WMMA_FACTORS(m16n16k16_s8, 16, 16, 16, s8);
MUSASHIM_WMMA_FACTORS(m16n16k16_u8, 16, 16, 16, u8);
MUSASHIM_WMMA_FACTORS(m32n8k16_f16, 32, 8, 16, f16);
MUSASHIM_WMMA_FACTORS(m32n8k16_bf16, 32, 8, 16, bf16);
MUSASHIM_WMMA_FACTORS(m32n8k16_s8, 32, 8, 16, s8);
MUSASHIM_WMMA_FACTORS(m32n8k16_u8, 32, 8, 16, u8);
MUSASHIM_WMMA_FACTORS(m8n32k16_f16, 8, 32, 16, f16);
MUSASHIM_WMMA_FACTORS(m8n32k16_bf16, 8, 32, 16, bf16);
MUSASHIM_WMMA_FACTORS(m8n32k16_s8, 8, 32, 16, s8);
MUSASHIM_WMMA_FACTORS(m8n32k16_u8, 8, 32, 16, u8);
MUSASHIM_WMMA_FACTORS(m16n16k8_tf32, 16, 16, 8, tf32);
MUSASHIM_WMMA_FACTORS(m8n8k32_s4, 8, 8, 32, s4);
MUSASHIM_WMMA_FACTORS(m8n8k32_u4, 8, 8, 32, u4);
MUSASHIM_WMMA_FACTORS(m8n8k128_b1, 8, 8, 128, b1);
MUSASHIM_WMMA_FACTORS(m8n8k4_f64, 8, 8, 4, f64);
MUSASHIM_WMMA_SUMS(m16n16k16_f16, 16, 16, 16, f16);
MUSASHIM_WMMA_SUMS(m16n16k16_f32, 16, 16, 16, f32);
MUSASHIM_WMMA_SUMS(m16n16k16_s32, 16, 16, 16, s32);
MUSASHIM_WMMA_SUMS(m32n8k16_f16, 32, 8, 16, f16);
MUSASHIM_WMMA_SUMS(m32n8k16_f32, 32, 8, 16, f32);
MUSASHIM_WMMA_SUMS(m32n8k16_s32, 32, 8, 16, s32);
MUSASHIM_WMMA_SUMS(m8n32k16_f16, 8, 32, 16, f16);
MUSASHIM_WMMA_SUMS(m8n32k16_f32, 8, 32, 16, f32);
MUSASHIM_WMMA_SUMS(m8n32k16_s32, 8, 32, 16, s32);
MUSASHIM_WMMA_SUMS(m16n16k8_f32, 16, 16, 8, f32);
MUSASHIM_WMMA_SUMS(m8n8k32_s32, 8, 8, 32, s32);
MUSASHIM_WMMA_SUMS(m8n8k128_s32, 8, 8, 128, s32);
MUSASHIM_WMMA_SUMS(m8n8k4_f64, 8, 8, 4, f64);
MUSASHIM_WMMA_MMA(m16n16k16_f32_f16_f16_f32, 16, 16, 16, f32, f16, f16, f32, 0);
MUSASHIM_WMMA_MMA(m16n16k16_f32_f16_f16_f16, 16, 16, 16, f32, f16, f16, f16, 0);
MUSASHIM_WMMA_MMA(m16n16k16_f16_f16_f16_f32, 16, 16, 16, f16, f16, f16, f32, 0);
MUSASHIM_WMMA_MMA(m16n16k16_f16_f16_f16_f16, 16, 16, 16, f16, f16, f16, f16, 0);
MUSASHIM_WMMA_MMA(m16n16k16_f32_bf16_bf16_f32, 16, 16, 16, f32, bf16, bf16, f32, 0);
MUSASHIM_WMMA_MMA(m16n16k16_s32_s8_s8_s32, 16, 16, 16, s32, s8, s8, s32, 0);
MUSASHIM_WMMA_MMA(m16n16k16_s32_s8_s8_s32_satfinite, 16, 16, 16, s32, s8, s8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_WMMA_MMA(m16n16k16_s32_u8_u8_s32, 16, 16, 16, s32, u8, u8, s32, 0);
MUSASHIM_WMMA_MMA(m16n16k16_s32_u8_u8_s32_satfinite, 16, 16, 16, s32, u8, u8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_WMMA_MMA(m32n8k16_f32_f16_f16_f32, 32, 8, 16, f32, f16, f16, f32, 0);
MUSASHIM_WMMA_MMA(m32n8k16_f32_f16_f16_f16, 32, 8, 16, f32, f16, f16, f16, 0);
MUSASHIM_WMMA_MMA(m32n8k16_f16_f16_f16_f32, 32, 8, 16, f16, f16, f16, f32, 0);
MUSASHIM_WMMA_MMA(m32n8k16_f16_f16_f16_f16, 32, 8, 16, f16, f16, f16, f16, 0);
MUSASHIM_WMMA_MMA(m32n8k16_f32_bf16_bf16_f32, 32, 8, 16, f32, bf16, bf16, f32, 0);
MUSASHIM_WMMA_MMA(m32n8k16_s32_s8_s8_s32, 32, 8, 16, s32, s8, s8, s32, 0);
MUSASHIM_WMMA_MMA(m32n8k16_s32_s8_s8_s32_satfinite, 32, 8, 16, s32, s8, s8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_WMMA_MMA(m32n8k16_s32_u8_u8_s32, 32, 8, 16, s32, u8, u8, s32, 0);
MUSASHIM_WMMA_MMA(m32n8k16_s32_u8_u8_s32_satfinite, 32, 8, 16, s32, u8, u8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_WMMA_MMA(m8n32k16_f32_f16_f16_f32, 8, 32, 16, f32, f16, f16, f32, 0);
MUSASHIM_WMMA_MMA(m8n32k16_f32_f16_f16_f16, 8, 32, 16, f32, f16, f16, f16, 0);
MUSASHIM_WMMA_MMA(m8n32k16_f16_f16_f16_f32, 8, 32, 16, f16, f16, f16, f32, 0);
MUSASHIM_WMMA_MMA(m8n32k16_f16_f16_f16_f16, 8, 32, 16, f16, f16, f16, f16, 0);
MUSASHIM_WMMA_MMA(m8n32k16_f32_bf16_bf16_f32, 8, 32, 16, f32, bf16, bf16, f32, 0);
MUSASHIM_WMMA_MMA(m8n32k16_s32_s8_s8_s32, 8, 32, 16, s32, s8, s8, s32, 0);
MUSASHIM_WMMA_MMA(m8n32k16_s32_s8_s8_s32_satfinite, 8, 32, 16, s32, s8, s8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_WMMA_MMA(m8n32k16_s32_u8_u8_s32, 8, 32, 16, s32, u8, u8, s32, 0);
MUSASHIM_WMMA_MMA(m8n32k16_s32_u8_u8_s32_satfinite, 8, 32, 16, s32, u8, u8, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_WMMA_MMA(m16n16k8_f32_tf32_tf32_f32, 16, 16, 8, f32, tf32, tf32, f32, 0);
MUSASHIM_WMMA_MMA(m8n8k32_s32_s4_s4_s32, 8, 8, 32, s32, s4, s4, s32, 0);
MUSASHIM_WMMA_MMA(m8n8k32_s32_s4_s4_s32_satfinite, 8, 8, 32, s32, s4, s4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_WMMA_MMA(m8n8k32_s32_u4_u4_s32, 8, 8, 32, s32, u4, u4, s32, 0);
MUSASHIM_WMMA_MMA(m8n8k32_s32_u4_u4_s32_satfinite, 8, 8, 32, s32, u4, u4, s32, MUSA_MATRIX_SATURATES);
MUSASHIM_WMMA_MMA(m8n8k128_xor_popc, 8, 8, 128, s32, b1, b1, s32, 0);
MUSASHIM_WMMA_MMA(m8n8k128_and_popc, 8, 8, 128, s32, b1, b1, s32, MUSA_MATRIX_COUNTS_AND);
MUSASHIM_WMMA_MMA(m8n8k4_f64_f64_f64_f64, 8, 8, 4, f64, f64, f64, f64, 0);
#undef MUSASHIM_WMMA_FACTORS
#undef MUSASHIM_WMMA_SUMS
#undef MUSASHIM_WMMA_MMA
// clang-format on

#endif
#endif
