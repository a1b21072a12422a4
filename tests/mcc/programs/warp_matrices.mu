// Products of matrices by PTX's instructions as functions: tiles through shared memory by ldmatrix, in all of
// a block's warps or one of them, of halves, bfloat16 and bytes; stmatrix, movmatrix; wmma. Numbers are small
// integers, so that sums are exact. Checks itself.
#include <musa_bf16.h>
#include <musa_fp16.h>
#include <musa_runtime.h>
#include <musa_warp_matrix.h>

#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kM = 64, kN = 48, kK = 96;  // of the whole product

__device__ uint2 asPair(uint4 words, int first) {
  return first == 0 ? make_uint2(words.x, words.y) : make_uint2(words.z, words.w);
}

// Four warps, each 16 rows; A by rows, B by rows as well, so that B's matrices are loaded transposed.
template <typename T, typename Multiply>
__device__ void product(const T* a, const T* b, float* c, Multiply multiply) {
  __shared__ __align__(16) T tileA[kM][16 + 8];
  __shared__ __align__(16) T tileB[16][kN + 8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float4 sums[kN / 8] = {};
  for (int k = 0; k < kK; k += 16) {
    for (unsigned i = threadIdx.x; i < kM * 16; i += blockDim.x)
      tileA[i / 16][i % 16] = a[i / 16 * kK + k + i % 16];
    for (unsigned i = threadIdx.x; i < 16 * kN; i += blockDim.x)
      tileB[i / kN][i % kN] = b[(k + i / kN) * kN + i % kN];
    __syncthreads();
    const uint4 left = __musa_warp_ldmatrix_x4(&tileA[warp * 16 + lane % 16][lane / 16 * 8]);
    for (int n = 0; n < kN; n += 16) {
      const uint4 right = __musa_warp_ldmatrix_x4_trans(&tileB[lane % 16][n + lane / 16 * 8]);
      sums[n / 8] = multiply(left, asPair(right, 0), sums[n / 8]);
      sums[n / 8 + 1] = multiply(left, asPair(right, 2), sums[n / 8 + 1]);
    }
    __syncthreads();
  }
  for (int n = 0; n < kN; n += 8) {
    float* const to = c + (warp * 16 + lane / 4) * kN + n + lane % 4 * 2;
    to[0] = sums[n / 8].x;
    to[1] = sums[n / 8].y;
    to[8 * kN] = sums[n / 8].z;
    to[8 * kN + 1] = sums[n / 8].w;
  }
}

__global__ void ofHalves(const __half* a, const __half* b, float* c) {
  product(a, b, c,
          [](uint4 x, uint2 y, float4 z) { return __musa_warp_mma_m16n8k16_f32_f16_f16_f32(x, y, z); });
}
__global__ void ofBfloats(const __mt_bfloat16* a, const __mt_bfloat16* b, float* c) {
  product(a, b, c,
          [](uint4 x, uint2 y, float4 z) { return __musa_warp_mma_m16n8k16_f32_bf16_bf16_f32(x, y, z); });
}

// Bytes, 16 x 8 x 32, by one warp of several, while others do something else.
__global__ void ofBytes(const signed char* a, const signed char* b, int* c, int* others) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (warp != blockIdx.x) {
    others[blockIdx.x * blockDim.x + threadIdx.x] = __popc(__ballot_sync(~0u, lane % 3 == 0));
    return;
  }
  const auto word = [](const signed char* from) {
    unsigned result;
    memcpy(&result, from, sizeof result);
    return result;
  };
  const unsigned row = lane / 4, k = lane % 4 * 4;
  const uint4 left = make_uint4(word(a + row * 32 + k), word(a + (row + 8) * 32 + k),
                                word(a + row * 32 + k + 16), word(a + (row + 8) * 32 + k + 16));
  const uint2 right =
      make_uint2(word(b + row * 32 + k), word(b + row * 32 + k + 16));  // columns follow each other
  const int4 d = __musa_warp_mma_m16n8k32_s32_s8_s8_s32(left, right, make_int4(1, 2, 3, 4));
  int* const to = c + blockIdx.x * 128 + lane / 4 * 8 + lane % 4 * 2;
  to[0] = d.x;
  to[1] = d.y;
  to[64] = d.z;
  to[65] = d.w;
}

// There and back again: what is stored transposed and transposed once more is as it was.
__global__ void moves(unsigned* out) {
  __shared__ __align__(16) unsigned short rows[32][8];
  const unsigned lane = threadIdx.x % 32;
  const uint4 words = make_uint4(lane, lane * 3 + 0x10000, lane * 5 + 0x20000, ~lane);
  __musa_warp_stmatrix_x4_trans(rows[lane], words);
  __syncwarp();
  const uint4 loaded = __musa_warp_ldmatrix_x4(rows[lane]);
  out[lane] = (__musa_warp_movmatrix_trans(loaded.x) != words.x) +
              (__musa_warp_movmatrix_trans(loaded.y) != words.y) +
              (__musa_warp_movmatrix_trans(loaded.z) != words.z) +
              (__musa_warp_movmatrix_trans(loaded.w) != words.w);
}

// 32 x 8 x 16, A by columns.
__global__ void whole(const __half* a, const __half* b, float* c) {
  const auto left = __musa_warp_wmma_load_a_m32n8k16_f16(a, 32, false);
  const auto right = __musa_warp_wmma_load_b_m32n8k16_f16(b, 0, true);
  const __musa_floatx8 before = __musa_warp_wmma_load_c_m32n8k16_f32(c, 8, true);
  __musa_warp_wmma_store_d_m32n8k16_f32(c, __musa_warp_wmma_mma_m32n8k16_f32_f16_f16_f32(left, right, before),
                                        8, true);
}

static int failures = 0;

static void expect(const char* what, bool holds) {
  if (holds) return;
  ++failures;
  std::printf("%s is wrong\n", what);
}

static int number(int i) { return i * 7919 % 7 - 3; }

template <typename T>
static T* managed(size_t count) {
  T* result = nullptr;
  if (musaMallocManaged(&result, count * sizeof(T)) != musaSuccess) std::abort();
  return result;
}

template <typename T>
static void checkProduct(const char* what, void (*kernel)(const T*, const T*, float*)) {
  T *a = managed<T>(kM * kK), *b = managed<T>(kK * kN);
  float* c = managed<float>(kM * kN);
  for (int i = 0; i < kM * kK; ++i) a[i] = T(static_cast<float>(number(i)));
  for (int i = 0; i < kK * kN; ++i) b[i] = T(static_cast<float>(number(i * 3 + 1)));
  kernel<<<1, 128>>>(a, b, c);
  expect(what, musaDeviceSynchronize() == musaSuccess);
  bool holds = true;
  for (int m = 0; m < kM; ++m) {
    for (int n = 0; n < kN; ++n) {
      int sum = 0;
      for (int k = 0; k < kK; ++k) sum += number(m * kK + k) * number((k * kN + n) * 3 + 1);
      holds &= c[m * kN + n] == static_cast<float>(sum);
    }
  }
  expect(what, holds);
}

static void checkBytes() {
  auto *a = managed<signed char>(16 * 32), *b = managed<signed char>(8 * 32);
  int *c = managed<int>(4 * 128), *others = managed<int>(4 * 128);
  for (int i = 0; i < 16 * 32; ++i) a[i] = static_cast<signed char>(i * 37 % 256 - 128);
  for (int i = 0; i < 8 * 32; ++i) b[i] = static_cast<signed char>(i * 91 % 256 - 128);
  ofBytes<<<4, 128>>>(a, b, c, others);
  expect("bytes", musaDeviceSynchronize() == musaSuccess);
  bool holds = true;
  for (int i = 0; i < 4 * 128; ++i) {
    const int m = i % 128 / 8, n = i % 8;
    int sum = 1 + n % 2 + m / 8 * 2;
    for (int k = 0; k < 32; ++k) sum += a[m * 32 + k] * b[n * 32 + k];
    holds &= c[i] == sum;
    holds &= others[i] == (i % 128 / 32 == i / 128 ? 0 : 11);
  }
  expect("bytes", holds);
}

static void checkWhole() {
  auto *a = managed<__half>(32 * 16), *b = managed<__half>(16 * 8);
  float* c = managed<float>(32 * 8);
  for (int i = 0; i < 32 * 16; ++i) a[i] = __float2half(static_cast<float>(number(i)));
  for (int i = 0; i < 16 * 8; ++i) b[i] = __float2half(static_cast<float>(number(i + 5)));
  for (int i = 0; i < 32 * 8; ++i) c[i] = static_cast<float>(i);
  whole<<<1, 32>>>(a, b, c);
  expect("wmma", musaDeviceSynchronize() == musaSuccess);
  bool holds = true;
  for (int i = 0; i < 32 * 8; ++i) {
    int sum = i;
    for (int k = 0; k < 16; ++k) sum += number(k * 32 + i / 8) * number(k * 8 + i % 8 + 5);
    holds &= c[i] == static_cast<float>(sum);
  }
  expect("wmma", holds);
}

int main() {
  checkProduct("halves", ofHalves);
  checkProduct("bfloat16", ofBfloats);
  checkBytes();
  checkWhole();
  auto* out = managed<unsigned>(32);
  moves<<<1, 32>>>(out);
  expect("moves", musaDeviceSynchronize() == musaSuccess);
  for (int i = 0; i < 32; ++i) expect("moves", out[i] == 0);
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
