/* What the matrix fragments of mma.h are made of. */
#ifndef MUSASHIM_CRT_MMA_FRAGMENT_H
#define MUSASHIM_CRT_MMA_FRAGMENT_H

#include "../musa_bf16.h"
#include "../musa_fp16.h"
#include "builtin_variables.h"

namespace mtmusa {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

namespace detail {

/* What a fragment of T stores, and in what its products are summed. */
template <typename T>
struct Types {
  typedef T Element;
  typedef float Sum;
};
template <>
struct Types<precision::tf32> {
  typedef float Element;
  typedef float Sum;
};
template <>
struct Types<double> {
  typedef double Element;
  typedef double Sum;
};
template <typename T>
using Element = typename Types<T>::Element;
template <typename T>
using Sum = typename Types<T>::Sum;

template <typename A, typename B>
struct Same {
  static constexpr bool value = false;
};
template <typename A>
struct Same<A, A> {
  static constexpr bool value = true;
};
template <typename Use>
using IsAccumulator = Same<Use, accumulator>;

template <typename T>
constexpr bool isShape(int m, int n, int k, bool accumulates) {
  const bool wide =
      (m == 16 && n == 16 && k == 16) || (m == 32 && n == 8 && k == 16) || (m == 8 && n == 32 && k == 16);
  const bool tf32 = m == 16 && n == 16 && k == 8, precise = m == 8 && n == 8 && k == 4;
  if (Same<T, double>::value) return precise;
  if (Same<T, float>::value) return accumulates && (wide || tf32);
  if (Same<T, int>::value) return accumulates && wide;
  if (Same<T, __half>::value) return wide;
  if (Same<T, precision::tf32>::value) return !accumulates && tf32;
  return !accumulates && wide &&
         (Same<T, __mt_bfloat16>::value || Same<T, signed char>::value || Same<T, unsigned char>::value);
}

/* The part of an M x N accumulator that a lane computes. */
template <int M, int N>
struct Place {
  static constexpr unsigned int width = M * N / 32;
  unsigned int row, column;
  __device__ Place() {
    const unsigned int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned int first = thread % 32u * width;
    row = first / N;
    column = first % N;
  }
};

template <typename Use, int M, int N, int K>
struct Count {
  static constexpr int value = M * N / 32;
};
template <int M, int N, int K>
struct Count<matrix_a, M, N, K> {
  static constexpr int value = K;
};
template <int M, int N, int K>
struct Count<matrix_b, M, N, K> {
  static constexpr int value = K * (M * N / 32);
};

template <typename Use, int M, int N, int K, typename T>
struct Storage {
  typedef Element<T> element_type;
  enum : int { num_elements = Count<Use, M, N, K>::value, num_storage_elements = num_elements };
  Element<T> x[Count<Use, M, N, K>::value];
};

__device__ inline size_t index(layout_t layout, unsigned int row, unsigned int column, unsigned int stride) {
  return layout == mem_row_major ? size_t(row) * stride + column : size_t(column) * stride + row;
}
template <typename Layout>
__device__ inline size_t index(unsigned int row, unsigned int column, unsigned int stride) {
  return index(Same<Layout, row_major>::value ? mem_row_major : mem_col_major, row, column, stride);
}

/* An element as a factor; TF32's hardware ignores the bits that the format has not. */
template <typename T>
__device__ inline Sum<T> factor(Element<T> x) {
  return Sum<T>(x);
}
template <>
__device__ inline float factor<precision::tf32>(float x) {
  return __uint_as_float(__float_as_uint(x) & 0xffffe000u);
}

__device__ inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

}  // namespace detail
}  // namespace wmma
}  // namespace mtmusa

#endif
