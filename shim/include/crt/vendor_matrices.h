/* MUSA's own instructions by the names of the vendor's compiler: mp_22's matrix instructions __musa_fmma_*
 * and its like, mp_31's __musa_wmma_* and __musa_sqmma_*, and its operations on vectors of floats. Names,
 * shapes and layouts are data (shim/api/vendor_instructions.yml); what no public source tells is refused.
 *
 * Threads hand their elements to the squad's memory, where they lie as the matrices do; one thread multiplies
 * for all. That memory is the runtime's and in no allocation that checked code knows, so the functions that
 * read and write it are left out of checks (see matrix_fragments.h).
 */
#ifndef MUSASHIM_CRT_VENDOR_MATRICES_H
#define MUSASHIM_CRT_VENDOR_MATRICES_H

#if defined(__MUSACC__)

#include "crt/matrix_layout.h"
#include "lane_meeting.h"
#include "load_store.h"
#include "pass_architecture.h"
#include "tensor_copies.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++17-extensions"

extern "C" {
__device__ __attribute__((nothrow, const)) char* __musa_squad_memory(uint32_t squad);
MUSASHIM_RUNTIME void __musa_multiply_whole(uint64_t product, const void* a, const void* b, void* sums);
MUSASHIM_RUNTIME void __musa_multiply_shared(uint64_t product, uint64_t a, uint64_t b, const char* shared,
                                             uint64_t bytes, void* sums);
}

#define MUSASHIM_ZEROS_ALONE(condition)                                                                      \
  MUSASHIM_REFUSED_IF(condition,                                                                             \
                      "this argument of the matrix instruction is 0 in all public code: what another value " \
                      "means is not known")

/* -- The squad's memory ------------------------------------------------------------------------ */
/* All 128 threads wait for each other. */
MUSASHIM_D void musashimSquadMeets() {
  const unsigned int thread = musashimThread(), id = MUSA_BARRIER_OF_SQUAD + thread / MUSA_SQUAD_THREADS;
  const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
  if (threads == MUSA_SQUAD_THREADS) { /* lanes need not come to the barrier one by one */
    __musa_syncthreads();
  } else {
    (void)__musa_barrier_wait(id, __musa_barrier_arrive(id, MUSA_SQUAD_THREADS, 0, thread, threads));
  }
}
template <int kThreads>
MUSASHIM_D void musashimThreadsMeet() {
  if constexpr (kThreads == 32) {
    musashimMeet();
  } else {
    musashimSquadMeets();
  }
}

/* Where the sums, and the factors, of the threads that work on one product are. */
template <int kThreads>
MUSASHIM_EXCHANGE char* musashimSquadSums() {
  char* const memory = __musa_squad_memory(musashimThread() / MUSA_SQUAD_THREADS);
  const unsigned int warp = musashimThread() / 32u % 4u;
  return kThreads == 32 ? memory + MUSA_SQUAD_WARPS + warp * MUSA_SQUAD_WARP_SUMS : memory;
}
template <int kThreads, int kFrom>
MUSASHIM_EXCHANGE char* musashimSquadFactor() {
  char* const memory = __musa_squad_memory(musashimThread() / MUSA_SQUAD_THREADS) + kFrom;
  const unsigned int warp = musashimThread() / 32u % 4u;
  return kThreads == 32 ? memory + warp * MUSA_SQUAD_WARP_FACTOR_BYTES : memory;
}

/* A register's elements, of which the first is the lane's value number `value`. */
template <int kThreads, int kFrom, class Layout, int bits>
MUSASHIM_EXCHANGE void musashimPutFactors(int value, int elements) {
  char* const to = musashimSquadFactor<kThreads, kFrom>();
  for (int i = 0; i < 32 / bits; ++i) {
    const int at = Layout::at(int(musashimThread() % kThreads), value + i);
    const unsigned int element = (unsigned int)elements >> i * bits % 32;
    if constexpr (bits == 8) {
      ((unsigned char*)to)[at] = (unsigned char)element;
    } else if constexpr (bits == 16) {
      ((unsigned short*)to)[at] = (unsigned short)element;
    } else {
      ((unsigned int*)to)[at] = element;
    }
  }
}
template <int kThreads, int kM, class Layout>
MUSASHIM_EXCHANGE int* musashimSumPlace(int value) {
  const int at = Layout::at(int(musashimThread() % kThreads), value);
  return (int*)musashimSquadSums<kThreads>() + at % kM + at / kM * MUSA_SQUAD_PITCH;
}
template <int kThreads, int kM, class Layout>
MUSASHIM_EXCHANGE void musashimPutSum(int value, int sum) {
  *musashimSumPlace<kThreads, kM, Layout>(value) = sum;
}
template <int kThreads, int kM, class Layout>
MUSASHIM_EXCHANGE int musashimGetSum(int value) {
  return *musashimSumPlace<kThreads, kM, Layout>(value);
}

/* -- Fragments in registers: d = a b + c ---------------------------------------------------------- */
/* The other layout of each factor comes with its bit of `shape`: 2 of a, 1 of b. */
template <int kThreads, int kM, int kN, int kK, int bits, class A0, class A1, class B0, class B1,
          class Layout>
MUSASHIM_D void musashimMultiplyFragments(uint64_t product, int* d, const int* a, const int* b, const int* c,
                                          int shape) {
  constexpr int kNumbers = 32 / bits;
  for (int i = 0; i < kM * kK / kThreads / kNumbers; ++i) {
    if (shape & 2)
      musashimPutFactors<kThreads, MUSA_SQUAD_A, A1, bits>(i * kNumbers, a[i]);
    else
      musashimPutFactors<kThreads, MUSA_SQUAD_A, A0, bits>(i * kNumbers, a[i]);
  }
  for (int i = 0; i < kN * kK / kThreads / kNumbers; ++i) {
    if (shape & 1)
      musashimPutFactors<kThreads, MUSA_SQUAD_B, B1, bits>(i * kNumbers, b[i]);
    else
      musashimPutFactors<kThreads, MUSA_SQUAD_B, B0, bits>(i * kNumbers, b[i]);
  }
  for (int i = 0; i < kM * kN / kThreads; ++i) musashimPutSum<kThreads, kM, Layout>(i, c[i]);
  musashimThreadsMeet<kThreads>();
  if (musashimThread() % kThreads == 0)
    __musa_multiply_whole(product, musashimSquadFactor<kThreads, MUSA_SQUAD_A>(),
                          musashimSquadFactor<kThreads, MUSA_SQUAD_B>(), musashimSquadSums<kThreads>());
  musashimThreadsMeet<kThreads>();
  for (int i = 0; i < kM * kN / kThreads; ++i) d[i] = musashimGetSum<kThreads, kM, Layout>(i);
}

#define MUSASHIM_LAYOUT(layout, kM, kN, kK, bits) musashimLayout_##layout<kM, kN, kK, bits>
#define MUSASHIM_NAMED_MATRIX(name, kHas, kThreads, kM, kN, kK, bits, TA, TB, TD, LA, LB, LD)                \
  template <int kArch>                                                                                       \
  MUSASHIM_D void musashim_##name(int* d, const int* a, const int* b, const int* c, int zero0, int zero1,    \
                                  int zero2, int zero3, int flag, int shape) MUSASHIM_ONLY_ON(kHas, "mp_22") \
      MUSASHIM_ZEROS_ALONE((zero0 | zero1 | zero2 | zero3) != 0 || (flag & ~1) != 0) {                       \
    musashimMultiplyFragments<                                                                               \
        kThreads, kM, kN, kK, bits, MUSASHIM_LAYOUT(LA##_along, kM, kN, kK, bits),                           \
        MUSASHIM_LAYOUT(LA##_across, kM, kN, kK, bits), MUSASHIM_LAYOUT(LB##_across, kN, kM, kK, bits),      \
        MUSASHIM_LAYOUT(LB##_along, kN, kM, kK, bits), MUSASHIM_LAYOUT(LD, kM, kN, kK, bits)>(               \
        MUSA_MATRIX_PRODUCT(kM, kN, kK, MUSA_MATRIX_##TA, MUSA_MATRIX_##TB, MUSA_MATRIX_##TD,                \
                            MUSA_MATRIX_##TD, 0),                                                            \
        d, a, b, c, shape);                                                                                  \
  }                                                                                                          \
  static_assert(true, "takes the semicolon")

/* -- Operations on vectors of floats, clang's of either kind ---------------------------------------- */
#define MUSASHIM_SIMD(name, kHas, kCount, parameters, expression)                                \
  template <int kArch, typename Vector = musashimFloats<kCount>>                                 \
  MUSASHIM_D musashimFloats<kCount> musashim_##name parameters MUSASHIM_ONLY_ON(kHas, "mp_31") { \
    Vector result;                                                                               \
    for (int i = 0; i < kCount; ++i) result[i] = expression;                                     \
    return result;                                                                               \
  }                                                                                              \
  static_assert(true, "takes the semicolon")
template <int kCount>
using musashimFloats = float __attribute__((ext_vector_type(kCount)));

#include "musa_detail/vendor_instructions.h"

#undef MUSASHIM_NAMED_MATRIX
#undef MUSASHIM_LAYOUT
#undef MUSASHIM_SIMD

template <int kM, int kN, int kK, int bits>
MUSASHIM_D void musashimMultiplyWarpOf(uint64_t product, int* d, const int* a, const int* b, const int* c,
                                       int shape) {
  musashimMultiplyFragments<
      32, kM, kN, kK, bits, musashimLayout_warp_along<kM, kN, kK, bits>,
      musashimLayout_warp_across<kM, kN, kK, bits>, musashimLayout_warp_across<kN, kM, kK, bits>,
      musashimLayout_warp_along<kN, kM, kK, bits>, musashimLayout_warp<kM, kN, kK, bits>>(product, d, a, b, c,
                                                                                          shape);
}
constexpr bool musashimIsIntegers(int type) { return type < 2; }
constexpr uint64_t musashimProduct(int m, int n, int k, int type, int flags) {
  return MUSA_MATRIX_PRODUCT(m, n, k, musashimFormatOfA(type), musashimFormatOfB(type),
                             musashimIsIntegers(type) ? MUSA_MATRIX_S32 : MUSA_MATRIX_F32,
                             musashimIsIntegers(type) ? MUSA_MATRIX_S32 : MUSA_MATRIX_F32, flags);
}
#define MUSASHIM_KNOWN_MATRIX(known, type)                                                           \
  MUSASHIM_REFUSED_IF(                                                                               \
      musashimIsUnknownMatrix(type),                                                                 \
      "this matrix instruction is not supported: it is not publicly known " MUSASHIM_UNKNOWN_MATRIX) \
  MUSASHIM_REFUSED_IF(!musashimIsUnknownMatrix(type) && !(known),                                    \
                      "no public source knows a matrix instruction of this shape and type; "         \
                      "share/doc/musashim/vendor_instructions.md lists what there is")

template <int kArch, int kM, int kN, int kK>
MUSASHIM_D void musashimMultiplyWarp(int* d, const int* a, const int* b, const int* c, int zero0, int zero1,
                                     int zero2, int zero3, int flag, int shape, int type)
    MUSASHIM_ONLY_ON(310, "mp_31")
        MUSASHIM_ZEROS_ALONE((zero0 | zero1 | zero2 | zero3) != 0 || (flag & ~1) != 0)
            MUSASHIM_KNOWN_MATRIX(musashimIsMatrix_numbered(kM, kN, kK, type), type) {
  const uint64_t product = musashimProduct(kM, kN, kK, type, 0);
  /* What 8 bits take needs 16 along k, as what 32 bits take has no more than 8. */
  if (type == 2 || type == 3) {
    if constexpr (kK >= 8 && kK <= 32) musashimMultiplyWarpOf<kM, kN, kK, 16>(product, d, a, b, c, shape);
  } else if (type == 4) {
    if constexpr (kK <= 8) musashimMultiplyWarpOf<kM, kN, kK, 32>(product, d, a, b, c, shape);
  } else {
    if constexpr (kK >= 16) musashimMultiplyWarpOf<kM, kN, kK, 8>(product, d, a, b, c, shape);
  }
}

/* -- Factors in shared memory ------------------------------------------------------------------ */
/* A descriptor: bits 0 to 17, the first element's address; 18 to 20, 8 << (n - 1) bytes from row to row, or
 * from column to column; 21 and 22, granules of 16, 32 or 64 bytes that change places within their 256, or
 * none. */
MUSASHIM_D uint64_t musashimFactorOf(int descriptor, int columns) {
  const unsigned int bits = (unsigned int)descriptor, stride = bits >> 18 & 7u;
  return MUSA_SHARED_FACTOR(bits & 0x3ffffu, stride == 0u ? 0u : 4u << stride, bits >> 21 & 3u, columns != 0);
}

/* `columnsOfA`: a's columns follow each other, else its rows; the same of b. */
template <int kArch, int kM, int kN>
MUSASHIM_D void musashimMultiplySquad(int* d, const int* a, const int* b, const int* c, int columnsOfA,
                                      int columnsOfB, int negatesA, int negatesB, int withoutC, int saturates,
                                      int k, int type) MUSASHIM_ONLY_ON(310, "mp_31")
    MUSASHIM_ZEROS_ALONE(saturates != 0)
        MUSASHIM_KNOWN_MATRIX(musashimIsMatrix_shared(kM, kN, k, type), type) {
  typedef musashimLayout_shared<kM, kN, 0, 0> Sums;
  const int flags = (negatesA ? MUSA_MATRIX_NEGATES_A : 0) | (negatesB ? MUSA_MATRIX_NEGATES_B : 0) |
                    (withoutC ? MUSA_MATRIX_BEGINS_WITH_ZERO : 0);
  const int left = *a, right = *b;
  if (!withoutC) {
    for (int i = 0; i < kM * kN / MUSA_SQUAD_THREADS; ++i)
      musashimPutSum<MUSA_SQUAD_THREADS, kM, Sums>(i, c[i]);
  }
  musashimSquadMeets();
  if (musashimThread() % MUSA_SQUAD_THREADS == 0)
    __musa_multiply_shared(musashimProduct(kM, kN, k, type, flags), musashimFactorOf(left, columnsOfA),
                           musashimFactorOf(right, columnsOfB), __musa_shared_base(), __musa_shared_bytes(),
                           musashimSquadSums<MUSA_SQUAD_THREADS>());
  musashimSquadMeets();
  for (int i = 0; i < kM * kN / MUSA_SQUAD_THREADS; ++i)
    d[i] = musashimGetSum<MUSA_SQUAD_THREADS, kM, Sums>(i);
}

/* Products are complete when the instruction is; waiting for them keeps a warp's lanes together, as those
 * that have waited may change the factors. */
template <int kArch>
MUSASHIM_D void musashimAwaitProducts(int pending = 0) MUSASHIM_ONLY_ON(310, "mp_31") {
  (void)pending;
  musashimMeet();
}
template <int kArch>
MUSASHIM_D void musashimCommitProducts() MUSASHIM_ONLY_ON(310, "mp_31") {}

#pragma clang diagnostic pop

#endif
#endif
