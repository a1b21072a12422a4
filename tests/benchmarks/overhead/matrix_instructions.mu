// What products of half matrices cost by mma.h's fragments and by MUSA's own instructions, of the same size,
// each from memory (no tiles): GFLOP/s, the best of five runs.
//
//   mcc -std=c++17 -O3 matrix_instructions.mu -lmusart -o matrix_instructions && ./matrix_instructions
#include <mma.h>
#include <musa_fp16.h>
#include <musa_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

constexpr int kSize = 512;

// a by rows, b by columns. A warp for each 16 x 16.
__global__ void byFragments(const __half* a, const __half* b, float* c) {
  using namespace mtmusa::wmma;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, row = warp / (kSize / 16) * 16,
            column = warp % (kSize / 16) * 16;
  fragment<accumulator, 16, 16, 16, float> sums;
  fill_fragment(sums, 0.0f);
  for (int k = 0; k < kSize; k += 16) {
    fragment<matrix_a, 16, 16, 16, __half, row_major> left;
    fragment<matrix_b, 16, 16, 16, __half, col_major> right;
    load_matrix_sync(left, a + row * kSize + k, kSize);
    load_matrix_sync(right, b + column * kSize + k, kSize);
    mma_sync(sums, left, right, sums);
  }
  store_matrix_sync(c + row * kSize + column, sums, kSize, mem_row_major);
}

// 128 lanes for each 32 x 32.
__global__ void byWarps(const __half* a, const __half* b, float* c) {
#if __MUSA_ARCH__ == 220
  const int lane = threadIdx.x, row = blockIdx.y * 32, column = blockIdx.x * 32;
  int sums[8] = {};
  for (int k = 0; k < kSize; k += 16) {
    int left[2], right[2];
    for (int i = 0; i < 2; ++i) {
      const int at = lane / 4 % 16 + i * 16, along = k + lane % 4 * 2 + lane / 64 * 8;
      memcpy(&left[i], &a[(row + at) * kSize + along], 4);
      memcpy(&right[i], &b[(column + at) * kSize + along], 4);
    }
    __musa_fmma_m32n32k16_mma(sums, left, right, sums, 0, 0, 0, 0, 1, 1);
  }
  for (int i = 0; i < 8; ++i) {
    const int at =
        lane % 8 * 32 + lane / 8 % 4 + lane / 32 % 2 * 256 + lane / 64 * 4 + i % 2 * 512 + i / 2 * 8;
    memcpy(&c[(row + at % 32) * kSize + column + at / 32], &sums[i], 4);
  }
#endif
}

// A squad for each 128 x 128, k in steps of 64 through shared memory.
__global__ void bySquads(const __half* a, const __half* b, float* c) {
#if __MUSA_ARCH__ == 310
  __shared__ __align__(4096) __half tileA[128 * 64], tileB[128 * 64];
  const int lane = threadIdx.x, row = blockIdx.y * 128, column = blockIdx.x * 128;
  const int left = int(__cvta_generic_to_shared(tileA)) | 5 << 18,
            right = int(__cvta_generic_to_shared(tileB)) | 5 << 18;
  int sums[128];
  for (int k = 0; k < kSize; k += 64) {
    for (int i = lane; i < 128 * 64 / 8; i += 128) {
      ((uint4*)tileA)[i] = *(const uint4*)&a[(row + i / 8) * kSize + k + i % 8 * 8];
      ((uint4*)tileB)[i] = *(const uint4*)&b[(column + i / 8) * kSize + k + i % 8 * 8];
    }
    __syncthreads();
    __musa_sqmma_m128n128_mma(sums, &left, &right, sums, 0, 1, 0, 0, k == 0, 0, 64, 2);
    __musa_sqmma_wait();
    __syncthreads();
  }
  for (int i = 0; i < 128; ++i) {
    const int at = lane / 8 % 4 + lane / 32 * 4 + i / 16 * 16, across = lane % 8 + i % 2 * 8 + i / 2 % 8 * 16;
    memcpy(&c[(row + at) * kSize + column + across], &sums[i], 4);
  }
#endif
}

template <typename Launch>
int measure(const char* name, const float* c, Launch launch) {
  double best = 1e9;
  for (int run = 0; run < 6; ++run) {  // the first one warms up
    const auto start = std::chrono::steady_clock::now();
    launch();
    if (musaDeviceSynchronize() != musaSuccess) return printf("%s fails\n", name), 1;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (run != 0) best = std::min(best, took.count());
  }
  printf("%-12s %8.1f GFLOP/s (%.2f ms)\n", name, 2.0 * kSize * kSize * kSize / best * 1e-9, best * 1e3);
  const float want = float(kSize) * 2;
  return c[0] == want && c[kSize * kSize - 1] == want ? 0 : (printf("%s is wrong\n", name), 1);
}

int main() {
  musaDeviceProp properties;
  musaGetDeviceProperties(&properties, 0);
  __half *a, *b;
  float* c;
  musaMallocManaged(&a, kSize * kSize * 2);
  musaMallocManaged(&b, kSize * kSize * 2);
  musaMallocManaged(&c, kSize * kSize * 4);
  for (int i = 0; i < kSize * kSize; ++i) {
    a[i] = __float2half(1);
    b[i] = __float2half(2);
  }
  int bad = measure("mma.h", c, [&] { byFragments<<<kSize / 16 * kSize / 16 / 4, 128>>>(a, b, c); });
  if (properties.major == 2) {
    bad += measure("m32n32k16", c, [&] { byWarps<<<dim3(kSize / 32, kSize / 32), 128>>>(a, b, c); });
  } else {
    bad += measure("sqmma", c, [&] { bySquads<<<dim3(kSize / 128, kSize / 128), 128>>>(a, b, c); });
  }
  return bad;
}
