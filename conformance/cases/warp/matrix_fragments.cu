// Matrix fragments: products of small whole numbers, exact in every type and order of summation.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.matrix_fragments");

using namespace nvcuda;

template <class T>
__device__ T numberOf(int value) {
  return static_cast<T>(value);
}
template <>
__device__ __half numberOf<__half>(int value) {
  return __float2half(static_cast<float>(value));
}
template <>
__device__ __nv_bfloat16 numberOf<__nv_bfloat16>(int value) {
  return __float2bfloat16(static_cast<float>(value));
}

template <class T>
__global__ void fill(T* matrix, int count, int seed, int lowest) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x))
    matrix[i] = numberOf<T>((i * seed + i / 7) % 9 + lowest);
}

template <int M, int N, int K, class T, class S, class Sum, class LayoutA, class LayoutB>
__global__ void multiply(const S* a, const S* b, const Sum* c, Sum* d, unsigned strideA, unsigned strideB) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> right;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum, other;
  wmma::load_matrix_sync(left, a, strideA);
  wmma::load_matrix_sync(right, b, strideB);
  wmma::load_matrix_sync(sum, c, N, wmma::mem_row_major);
  wmma::fill_fragment(other, numberOf<Sum>(1));
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] + other.x[i];
  wmma::mma_sync(sum, left, right, sum);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, N, wmma::mem_row_major);
  wmma::store_matrix_sync(d + M * N, sum, M, wmma::mem_col_major);
}

template <class T>
__global__ void widen(const T* in, float* out, int count) {
  for (int i = 0; i < count; ++i) out[i] = static_cast<float>(in[i]);
}

template <int M, int N, int K, class T, class S, class Sum, class LayoutA, class LayoutB>
void observeProduct(const char* key, unsigned strideA, unsigned strideB, int lowest) {
  DeviceArray<S> a(M * K), b(K * N);
  DeviceArray<Sum> c(M * N), d(2 * M * N);
  DeviceArray<float> out(2 * M * N);
  fill<<<1, 32>>>(a.data(), M * K, 5, lowest);
  fill<<<1, 32>>>(b.data(), K * N, 7, lowest);
  fill<<<1, 32>>>(c.data(), M * N, 3, 0);
  multiply<M, N, K, T, S, Sum, LayoutA, LayoutB>
      <<<1, 32>>>(a.data(), b.data(), c.data(), d.data(), strideA, strideB);
  widen<<<1, 1>>>(d.data(), out.data(), 2 * M * N);
  const std::vector<float> all = out.read();
  OBSERVE(std::string(key) + ".corner", joined(std::vector<float>(all.begin(), all.begin() + 8)));
  OBSERVE(std::string(key) + ".all", joined(all));
}

// A tiled product by a block of several warps, through shared memory.
__global__ void tiled(const __half* a, const __half* b, float* d, int size) {
  __shared__ __align__(32) __half left[2][16 * 16];
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int row = static_cast<int>(blockIdx.y) * 32 + warp * 16, column = static_cast<int>(blockIdx.x) * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < size; k += 16) {
    for (int i = lane; i < 256; i += 32) left[warp][i] = a[(row + i / 16) * size + k + i % 16];
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> y;
    wmma::load_matrix_sync(x, left[warp], 16);
    wmma::load_matrix_sync(y, b + k * size + column, static_cast<unsigned>(size));
    wmma::mma_sync(sum, x, y, sum);
    __syncwarp();
  }
  wmma::store_matrix_sync(d + row * size + column, sum, static_cast<unsigned>(size), wmma::mem_row_major);
}

__global__ void roundToTf32(const float* in, float* out) {
  out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]);
}

int main() {
  typedef wmma::row_major Rows;
  typedef wmma::col_major Columns;
  observeProduct<16, 16, 16, __half, __half, float, Rows, Columns>("half_float", 16, 16, -4);
  observeProduct<16, 16, 16, __half, __half, __half, Columns, Rows>("half_half", 16, 16, -4);
  observeProduct<32, 8, 16, __half, __half, float, Rows, Rows>("half_32x8", 16, 8, -4);
  observeProduct<8, 32, 16, __half, __half, float, Columns, Columns>("half_8x32", 8, 16, -4);
  observeProduct<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, Rows, Columns>("bfloat16", 16, 16, -4);
  observeProduct<16, 16, 16, signed char, signed char, int, Rows, Columns>("signed_char", 16, 16, -4);
  observeProduct<32, 8, 16, unsigned char, unsigned char, int, Columns, Columns>("unsigned_char", 32, 16, 0);
  observeProduct<16, 16, 8, wmma::precision::tf32, float, float, Rows, Columns>("tf32", 8, 8, -4);
  observeProduct<8, 8, 4, double, double, double, Rows, Columns>("double", 4, 4, -4);

  const int size = 64;
  DeviceArray<__half> a(size * size), b(size * size);
  DeviceArray<float> d(size * size);
  fill<<<1, 128>>>(a.data(), size * size, 5, -4);
  fill<<<1, 128>>>(b.data(), size * size, 11, -4);
  tiled<<<dim3(size / 16, size / 32), 64>>>(a.data(), b.data(), d.data(), size);
  OBSERVE("tiled", joined(d.read()));

  DeviceArray<float> in(std::vector<float>{1.0f, 1.00048828125f, 1.0009765625f, 1.00146484375f,
                                           -1.00048828125f, 3.4e38f, 1e-40f, 0.1f}),
      out(8);
  roundToTf32<<<1, 8>>>(in.data(), out.data());
  OBSERVE("to_tf32", joined(out.read()));
}
