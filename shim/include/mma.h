/* Matrix fragments of a warp: mtmusa::wmma, CUDA's nvcuda::wmma (CUDA C++ Programming Guide,
 * "Warp Matrix Functions"), for the types of mp_22 and mp_31: half, bfloat16, 8-bit
 * integers and TF32, and double.
 *
 * The guide leaves open which lane holds what. Here lane l of 32 computes M*N/32 neighbours
 * in one row of the accumulator, and its matrix_a and matrix_b fragments hold all that it
 * needs for them: that row of A, and those columns of B. A product then takes no exchange
 * between lanes, and each lane's is a loop that vectorises. On a device with 128 lanes a
 * warp, every 32 of them hold a whole fragment, as masks mean every 32 lanes.
 *
 * num_elements is therefore larger than on hardware for matrix_a and matrix_b; elements
 * may be changed alike, as the guide allows.
 */
#ifndef MUSASHIM_MMA_H
#define MUSASHIM_MMA_H

#if defined(__MUSACC__)

#include "crt/mma_fragment.h"
#include "crt/musa_device.h"
#include "musa_bf16.h"
#include "musa_fp16.h"

namespace mtmusa {
namespace wmma {

template <typename Use, int M, int N, int K, typename T, typename Layout = void>
class fragment : public detail::Storage<Use, M, N, K, T> {
  static_assert(detail::isShape<T>(M, N, K, detail::IsAccumulator<Use>::value),
                "wmma has no fragment of this shape and type");
};

/* 10 bits of mantissa, to nearest, ties away from zero. */
__device__ inline float __float_to_tf32(float x) { return __musa_float_to_tf32(x); }

template <typename Use, int M, int N, int K, typename T, typename Layout, typename Value>
__device__ inline void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const Value& value) {
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = value;
}

/* -- Loads and stores: the warp's lanes wait for each other, as the guide says -- */
template <int M, int N, int K, typename T, typename Layout>
__device__ inline void load_matrix_sync(fragment<matrix_a, M, N, K, T, Layout>& f,
                                        const detail::Element<T>* matrix, unsigned int stride) {
  __syncwarp();
  const unsigned int row = detail::Place<M, N>().row;
  for (unsigned int k = 0; k < K; ++k) f.x[k] = matrix[detail::index<Layout>(row, k, stride)];
}
template <int M, int N, int K, typename T, typename Layout>
__device__ inline void load_matrix_sync(fragment<matrix_b, M, N, K, T, Layout>& f,
                                        const detail::Element<T>* matrix, unsigned int stride) {
  __syncwarp();
  const detail::Place<M, N> place;
  for (unsigned int k = 0; k < K; ++k) {
    for (unsigned int i = 0; i < place.width; ++i)
      f.x[k * place.width + i] = matrix[detail::index<Layout>(k, place.column + i, stride)];
  }
}
template <int M, int N, int K, typename T>
__device__ inline void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* matrix,
                                        unsigned int stride, layout_t layout) {
  __syncwarp();
  const detail::Place<M, N> place;
  for (unsigned int i = 0; i < place.width; ++i)
    f.x[i] = matrix[detail::index(layout, place.row, place.column + i, stride)];
}
template <int M, int N, int K, typename T>
__device__ inline void store_matrix_sync(T* matrix, const fragment<accumulator, M, N, K, T>& f,
                                         unsigned int stride, layout_t layout) {
  __syncwarp();
  const detail::Place<M, N> place;
  for (unsigned int i = 0; i < place.width; ++i)
    matrix[detail::index(layout, place.row, place.column + i, stride)] = f.x[i];
  __syncwarp();
}

/* -- d = a b + c -- */
/* Products of half, bfloat16 and TF32 are exact and summed in float. */
template <int M, int N, int K, typename T, typename LayoutA, typename LayoutB, typename D, typename C>
__device__ inline void mma_sync(fragment<accumulator, M, N, K, D>& d,
                                const fragment<matrix_a, M, N, K, T, LayoutA>& a,
                                const fragment<matrix_b, M, N, K, T, LayoutB>& b,
                                const fragment<accumulator, M, N, K, C>& c) {
  typedef detail::Sum<T> Sum;
  constexpr int width = detail::Place<M, N>::width;
  Sum sums[width];
  for (int i = 0; i < width; ++i) sums[i] = Sum(c.x[i]);
  for (int k = 0; k < K; ++k) {
    const Sum left = detail::factor<T>(a.x[k]);
    for (int i = 0; i < width; ++i)
      sums[i] = detail::fused(left, detail::factor<T>(b.x[k * width + i]), sums[i]);
  }
  for (int i = 0; i < width; ++i) d.x[i] = D(sums[i]);
}
/* 8-bit integers: 32-bit sums that wrap, or saturate at the end. */
template <int M, int N, int K, typename T, typename LayoutA, typename LayoutB>
__device__ inline void mma_sync(fragment<accumulator, M, N, K, int>& d,
                                const fragment<matrix_a, M, N, K, T, LayoutA>& a,
                                const fragment<matrix_b, M, N, K, T, LayoutB>& b,
                                const fragment<accumulator, M, N, K, int>& c, bool saturate = false) {
  constexpr int width = detail::Place<M, N>::width;
  for (int i = 0; i < width; ++i) {
    int product = 0; /* at most 16 * 255 * 255 */
    for (int k = 0; k < K; ++k) product += int(a.x[k]) * int(b.x[k * width + i]);
    const long long sum = (long long)c.x[i] + product;
    const long long bounded = sum > 2147483647 ? 2147483647 : sum < -2147483647 - 1 ? -2147483647 - 1 : sum;
    d.x[i] = int(saturate ? bounded : sum);
  }
}

}  // namespace wmma
}  // namespace mtmusa

#endif
#endif
