/* What musa_warp_matrix.h is made of: fragments in a lane's registers, and the memory by which lanes exchange
 * them.
 */
#ifndef MUSASHIM_CRT_MATRIX_FRAGMENTS_H
#define MUSASHIM_CRT_MATRIX_FRAGMENTS_H

#include "crt/matrix_layout.h"
#include "lane_meeting.h"
#include "musa_device.h"

extern "C" {
__device__ __attribute__((nothrow, const)) char* __musa_warp_exchange(void);
MUSASHIM_RUNTIME void __musa_multiply_matrices(uint64_t product, uint32_t* words);
}

/* -- Formats ----------------------------------------------------------------------------- */
struct __mma_f16 {
  enum { format = MUSA_MATRIX_F16, bits = 16 };
};
struct __mma_bf16 {
  enum { format = MUSA_MATRIX_BF16, bits = 16 };
};
struct __mma_tf32 {
  enum { format = MUSA_MATRIX_TF32, bits = 32 };
};
struct __mma_e4m3 {
  enum { format = MUSA_MATRIX_E4M3, bits = 8 };
};
struct __mma_e5m2 {
  enum { format = MUSA_MATRIX_E5M2, bits = 8 };
};
struct __mma_f32 {
  enum { format = MUSA_MATRIX_F32, bits = 32 };
};
struct __mma_f64 {
  enum { format = MUSA_MATRIX_F64, bits = 64 };
};
struct __mma_s8 {
  enum { format = MUSA_MATRIX_S8, bits = 8 };
};
struct __mma_u8 {
  enum { format = MUSA_MATRIX_U8, bits = 8 };
};
struct __mma_s4 {
  enum { format = MUSA_MATRIX_S4, bits = 4 };
};
struct __mma_u4 {
  enum { format = MUSA_MATRIX_U4, bits = 4 };
};
struct __mma_b1 {
  enum { format = MUSA_MATRIX_B1, bits = 1 };
};
struct __mma_s32 {
  enum { format = MUSA_MATRIX_S32, bits = 32 };
};

/* -- A lane's registers -------------------------------------------------------------------- */
struct __musa_uintx8 {
  unsigned int v[8];
};
struct __musa_intx8 {
  int v[8];
};
struct __musa_floatx8 {
  float v[8];
};

/* `kCount` of T. */
template <typename T, int kCount>
struct musashimVector;
#define MUSASHIM_VECTOR(T, kCount, V) \
  template <>                         \
  struct musashimVector<T, kCount> {  \
    typedef V Type;                   \
  }
MUSASHIM_VECTOR(unsigned int, 1, unsigned int);
MUSASHIM_VECTOR(unsigned int, 2, uint2);
MUSASHIM_VECTOR(unsigned int, 4, uint4);
MUSASHIM_VECTOR(unsigned int, 8, __musa_uintx8);
MUSASHIM_VECTOR(int, 2, int2);
MUSASHIM_VECTOR(int, 4, int4);
MUSASHIM_VECTOR(int, 8, __musa_intx8);
MUSASHIM_VECTOR(float, 2, float2);
MUSASHIM_VECTOR(float, 4, float4);
MUSASHIM_VECTOR(float, 8, __musa_floatx8);
MUSASHIM_VECTOR(double, 1, double);
MUSASHIM_VECTOR(double, 2, double2);
#undef MUSASHIM_VECTOR

template <class Format>
struct musashimRegister {
  typedef unsigned int Type; /* of several numbers, or bits */
  enum { numbers = 32 / Format::bits };
};
#define MUSASHIM_REGISTER(Format, T) \
  template <>                        \
  struct musashimRegister<Format> {  \
    typedef T Type;                  \
    enum { numbers = 1 };            \
  }
MUSASHIM_REGISTER(__mma_f32, float);
MUSASHIM_REGISTER(__mma_s32, int);
MUSASHIM_REGISTER(__mma_f64, double);
#undef MUSASHIM_REGISTER

template <int kCount>
using musashimWords = typename musashimVector<unsigned int, kCount>::Type;
/* Of a matrix of so many elements, and of the sums. */
template <int kElements, class Format>
using musashimFactors = typename musashimVector<typename musashimRegister<Format>::Type,
                                                kElements / 32 / musashimRegister<Format>::numbers>::Type;
template <int M, int N, class Format>
using musashimSums = musashimFactors<M * N, Format>;

/* wmma has eight registers for halves, of which a matrix of 16 x 16 needs four. */
template <int kElements, class Format>
struct musashimWmma {
  typedef musashimFactors<kElements, Format> Type;
};
template <int kElements>
struct musashimWmma<kElements, __mma_f16> {
  typedef __musa_uintx8 Type;
};
template <int kElements, class Format>
using musashimRegisters = typename musashimWmma<kElements, Format>::Type;

/* The first registers of `from`, or `from` with more behind. */
template <typename To, typename From>
MUSASHIM_D To musashimCast(const From& from) {
  To to = {};
  __builtin_memcpy(&to, &from, sizeof(to) < sizeof(from) ? sizeof(to) : sizeof(from));
  return to;
}

/* -- Exchange ---------------------------------------------------------------------------------- */
/* Of the caller's 32 lanes. */
MUSASHIM_EXCHANGE unsigned int* musashimExchange() {
  return (unsigned int*)(__musa_warp_exchange() + musashimThread() / 32u * MUSA_EXCHANGE_BYTES);
}

template <typename T>
MUSASHIM_EXCHANGE void musashimPut(unsigned int word, unsigned int lane, T value) {
  unsigned int words[sizeof(T) / 4];
  __builtin_memcpy(words, &value, sizeof(T));
  unsigned int* const to = musashimExchange() + word * 32u + lane;
  for (unsigned int i = 0; i < sizeof(T) / 4; ++i) to[i * 32u] = words[i];
}
template <typename T>
MUSASHIM_EXCHANGE T musashimGet(unsigned int word, unsigned int lane) {
  unsigned int words[sizeof(T) / 4];
  const unsigned int* const from = musashimExchange() + word * 32u + lane;
  for (unsigned int i = 0; i < sizeof(T) / 4; ++i) words[i] = from[i * 32u];
  T value;
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

template <typename D, uint64_t kProduct, typename A, typename B, typename C>
MUSASHIM_D D musashimMultiply(A a, B b, C c) {
  const unsigned int lane = musashimLane();
  musashimPut(0, lane, a);
  musashimPut(sizeof(A) / 4, lane, b);
  musashimPut(sizeof(A) / 4 + sizeof(B) / 4, lane, c);
  musashimMeet();
  if (lane == 0) __musa_multiply_matrices(kProduct, musashimExchange());
  musashimMeet();
  return musashimGet<D>(MUSA_EXCHANGE_INPUTS, lane);
}

template <int M, int N, int K, class D, class A, class B, class C, unsigned int kFlags>
MUSASHIM_D musashimSums<M, N, D> musashimMma(musashimFactors<M * K, A> a, musashimFactors<K * N, B> b,
                                             musashimSums<M, N, C> c) {
  constexpr uint64_t kProduct =
      MUSA_MATRIX_PRODUCT(M, N, K, A::format, B::format, C::format, D::format, kFlags);
  return musashimMultiply<musashimSums<M, N, D>, kProduct>(a, b, c);
}

/* Rows of 16 bytes of 8 x 8 matrices, one behind the other. */
MUSASHIM_EXCHANGE void musashimPutRow(unsigned int row, uint4 value) {
  __builtin_memcpy(musashimExchange() + row * 4u, &value, sizeof(value));
}
MUSASHIM_EXCHANGE uint4 musashimGetRow(unsigned int row) {
  uint4 value;
  __builtin_memcpy(&value, musashimExchange() + row * 4u, sizeof(value));
  return value;
}
template <int kCount, bool kTransposed>
MUSASHIM_EXCHANGE musashimWords<kCount> musashimGetMatrices(unsigned int lane) {
  unsigned int words[kCount];
  for (unsigned int i = 0; i < kCount; ++i) {
    const unsigned int* const matrix = musashimExchange() + i * 32u;
    if (!kTransposed) {
      words[i] = matrix[lane];
    } else {
      const unsigned short* const column = (const unsigned short*)matrix + lane % 4u * 16u + lane / 4u;
      words[i] = column[0] | (unsigned int)column[8] << 16;
    }
  }
  musashimWords<kCount> result;
  __builtin_memcpy(&result, words, sizeof(result));
  return result;
}
template <int kCount, bool kTransposed>
MUSASHIM_EXCHANGE void musashimPutMatrices(unsigned int lane, musashimWords<kCount> matrices) {
  unsigned int words[kCount];
  __builtin_memcpy(words, &matrices, sizeof(words));
  for (unsigned int i = 0; i < kCount; ++i) {
    unsigned int* const matrix = musashimExchange() + i * 32u;
    if (!kTransposed) {
      matrix[lane] = words[i];
    } else {
      unsigned short* const column = (unsigned short*)matrix + lane % 4u * 16u + lane / 4u;
      column[0] = (unsigned short)words[i];
      column[8] = (unsigned short)(words[i] >> 16);
    }
  }
}

template <int kCount, bool kTransposed>
MUSASHIM_D musashimWords<kCount> musashimLoadMatrices(const void* row) {
  const unsigned int lane = musashimLane();
  if (lane < 8u * kCount) musashimPutRow(lane, *(const uint4*)row);
  musashimMeet();
  const musashimWords<kCount> result = musashimGetMatrices<kCount, kTransposed>(lane);
  musashimMeet();
  return result;
}
template <int kCount, bool kTransposed>
MUSASHIM_D void musashimStoreMatrices(void* row, musashimWords<kCount> matrices) {
  const unsigned int lane = musashimLane();
  musashimPutMatrices<kCount, kTransposed>(lane, matrices);
  musashimMeet();
  if (lane < 8u * kCount) *(uint4*)row = musashimGetRow(lane);
  musashimMeet();
}

/* -- Whole matrices: as crt/matrix_layout.h's products have them ----------------------------------- */

/* Factors with kAcross rows (of A) or columns (of B), in tiles of kTile. `together`: elements that follow
 * each other along k are neighbours in memory. */
template <int kAcross, int kTile, int K, class Format>
MUSASHIM_D musashimRegisters<kAcross * K, Format> musashimLoadFactors(const void* matrix, unsigned int stride,
                                                                      bool together) {
  typedef typename musashimRegister<Format>::Type Register;
  constexpr unsigned int kNumbers = musashimRegister<Format>::numbers, kBlocks = kTile / 8;
  constexpr unsigned int kAlong = K / kNumbers / 4; /* registers of a lane along k */
  constexpr unsigned int kBytes = Format::bits / 8;
  const unsigned int lane = musashimLane();
  if (stride == 0) stride = together ? K : kAcross;
  Register registers[kAcross / 8 * kAlong];
  for (unsigned int tile = 0; tile < kAcross / kTile; ++tile) {
    for (unsigned int i = 0; i < kAlong * kBlocks; ++i) {
      const unsigned int across = tile * kTile + i % kBlocks * 8u + lane / 4u;
      const unsigned int along = (i / kBlocks * 4u + lane % 4u) * kNumbers;
      Register& to = registers[tile * kAlong * kBlocks + i];
      if (together) {
        to = *(const Register*)((const char*)matrix + (size_t(across) * stride + along) * Format::bits / 8u);
      } else {
        unsigned char* bytes = (unsigned char*)&to;
        for (unsigned int j = 0; j < kNumbers; ++j)
          __builtin_memcpy(bytes + j * kBytes,
                           (const char*)matrix + (size_t(along + j) * stride + across) * kBytes, kBytes);
      }
    }
  }
  return musashimCast<musashimRegisters<kAcross * K, Format>>(registers);
}

/* Calls `visit(register, row, column)` for each number of a lane; halves are two in a register. */
template <int M, int N, typename Visit>
MUSASHIM_D void musashimForEachSum(Visit visit) {
  constexpr unsigned int kRows = M < 16 ? 8 : 16;
  const unsigned int lane = musashimLane();
  for (unsigned int i = 0; i < M * N / 32; ++i) {
    const unsigned int block = i / 2 % (kRows / 8), tile = i / 2 / (kRows / 8);
    const unsigned int row = tile / (N / 8) * kRows + block * 8u + lane / 4u;
    const unsigned int column = tile % (N / 8) * 8u + lane % 4u * 2u + i % 2;
    visit(i, row, column);
  }
}
/* What a sum is in memory. */
template <class Format>
struct musashimElement {
  typedef typename musashimRegister<Format>::Type Type;
};
template <>
struct musashimElement<__mma_f16> {
  typedef unsigned short Type;
};
template <int M, int N, class Format>
MUSASHIM_D musashimSums<M, N, Format> musashimLoadSums(const void* matrix, unsigned int stride, bool rows) {
  typedef typename musashimElement<Format>::Type Element;
  Element elements[M * N / 32];
  if (stride == 0) stride = rows ? N : M;
  musashimForEachSum<M, N>([&] __device__(unsigned int i, unsigned int row, unsigned int column) {
    elements[i] =
        ((const Element*)matrix)[rows ? size_t(row) * stride + column : size_t(column) * stride + row];
  });
  return musashimCast<musashimSums<M, N, Format>>(elements);
}
template <int M, int N, class Format>
MUSASHIM_D void musashimStoreSums(void* matrix, musashimSums<M, N, Format> sums, unsigned int stride,
                                  bool rows) {
  typedef typename musashimElement<Format>::Type Element;
  Element elements[M * N / 32];
  if (stride == 0) stride = rows ? N : M;
  __builtin_memcpy(elements, &sums, sizeof(elements));
  musashimForEachSum<M, N>([&] __device__(unsigned int i, unsigned int row, unsigned int column) {
    ((Element*)matrix)[rows ? size_t(row) * stride + column : size_t(column) * stride + row] = elements[i];
  });
}

#endif
