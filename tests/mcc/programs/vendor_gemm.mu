// Whole products, tile by tile through shared memory, by MUSA's own matrix instructions: mp_22's, whose
// fragments lanes load, and mp_31's, which read swizzled tiles themselves, two squads a block. Numbers are
// small integers, so that sums are exact. Checks itself.
#include <musa_fp16.h>
#include <musa_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kM = 256, kN = 192, kK = 320;

#if __MUSA_ARCH__ == 220
// A block of 128 lanes has a tile of 32 x 32. A by rows, B by columns: both fragments are along k (shape 1).
__global__ void gemmOfWarps(const __half* a, const __half* b, float* c) {
  __shared__ __half tileA[32][16 + 8], tileB[32][16 + 8];
  const int lane = threadIdx.x, row = blockIdx.y * 32, column = blockIdx.x * 32;
  int sums[8] = {};
  for (int k = 0; k < kK; k += 16) {
    for (int i = lane; i < 32 * 16; i += 128) {
      tileA[i / 16][i % 16] = a[(row + i / 16) * kK + k + i % 16];
      tileB[i / 16][i % 16] = b[(column + i / 16) * kK + k + i % 16];
    }
    __syncthreads();
    // ((4, 16, 2), (2, 2)) : ((64, 1, 256), (32, 16)): pairs along k, of two rows.
    int left[2], right[2];
    for (int i = 0; i < 2; ++i) {
      const int at = lane / 4 % 16 + i * 16, along = lane % 4 * 2 + lane / 64 * 8;
      memcpy(&left[i], &tileA[at][along], 4);
      memcpy(&right[i], &tileB[at][along], 4);
    }
    __musa_fmma_m32n32k16_mma(sums, left, right, sums, 0, 0, 0, 0, 1, 1);
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i) {
    const int at =
        lane % 8 * 32 + lane / 8 % 4 + lane / 32 % 2 * 256 + lane / 64 * 4 + i % 2 * 512 + i / 2 * 8;
    memcpy(&c[(row + at % 32) * kN + column + at / 32], &sums[i], 4);
  }
}
#else
__global__ void gemmOfWarps(const __half*, const __half*, float*) {}
#endif

#if __MUSA_ARCH__ == 310
// A block of two squads has a tile of 128 x 64, k in steps of 64: 128 bytes a row, whose granules of 16 bytes
// change places by line. Each product takes 16 along k: descriptors begin where it does.
__device__ unsigned swizzled(unsigned at) { return at ^ at / 256 % 16 * 16; }
__device__ int descriptor(unsigned address) {
  return int(address | 5u << 18 | 1u << 21);
}  // rows of 128 bytes

__global__ void gemmOfSquads(const __half* a, const __half* b, float* c) {
  extern __shared__ __align__(4096) unsigned char tiles[];
  const int squad = threadIdx.x / 128, lane = threadIdx.x % 128, row = blockIdx.y * 128,
            column = blockIdx.x * 64;
  const unsigned offsetA = (unsigned)__cvta_generic_to_shared(tiles), offsetB = offsetA + 128 * 128;
  const auto put = [&](unsigned from, int i, int k, __half value) {
    *(__half*)__cvta_shared_to_generic(swizzled(from + i * 128 + k * 2)) = value;
  };
  int sums[32];
  for (int k = 0; k < kK; k += 64) {
    for (int i = threadIdx.x; i < 128 * 64; i += 256)
      put(offsetA, i / 64, i % 64, a[(row + i / 64) * kK + k + i % 64]);
    for (int i = threadIdx.x; i < 64 * 64; i += 256)
      put(offsetB, i / 64, i % 64, b[(column + i / 64) * kK + k + i % 64]);
    __syncthreads();
    for (int part = 0; part < 64; part += 16) {
      const int left = descriptor(offsetA + squad * 64 * 128 + part * 2),
                right = descriptor(offsetB + part * 2);
      __musa_sqmma_m64n64_mma(sums, &left, &right, sums, 0, 1, 0, 0, k + part == 0, 0, 16, 2);
    }
    __musa_sqmma_wait();
    __syncthreads();
  }
  for (int i = 0; i < 32; ++i) {
    const int at = lane / 8 % 4 + lane / 32 * 4 + i / 8 * 16, across = lane % 8 + i % 2 * 8 + i / 2 % 4 * 16;
    memcpy(&c[(row + squad * 64 + at) * kN + column + across], &sums[i], 4);
  }
}
#else
__global__ void gemmOfSquads(const __half*, const __half*, float*) {}
#endif

int main() {
  musaDeviceProp properties;
  musaGetDeviceProperties(&properties, 0);
  std::vector<__half> a(kM * kK), b(kN * kK);  // b by columns
  std::vector<float> c(kM * kN), want(kM * kN);
  for (int i = 0; i < kM * kK; ++i) a[i] = __float2half(float(i * 7 % 9 - 4));
  for (int i = 0; i < kN * kK; ++i) b[i] = __float2half(float(i * 5 % 7 - 3));
  for (int row = 0; row < kM; ++row) {
    for (int column = 0; column < kN; ++column) {
      int sum = 0;
      for (int k = 0; k < kK; ++k) sum += ((row * kK + k) * 7 % 9 - 4) * ((column * kK + k) * 5 % 7 - 3);
      want[row * kN + column] = float(sum);
    }
  }
  __half *da, *db;
  float* dc;
  musaMalloc(&da, a.size() * 2);
  musaMalloc(&db, b.size() * 2);
  musaMalloc(&dc, c.size() * 4);
  musaMemcpy(da, a.data(), a.size() * 2, musaMemcpyHostToDevice);
  musaMemcpy(db, b.data(), b.size() * 2, musaMemcpyHostToDevice);
  if (properties.major == 2) {
    gemmOfWarps<<<dim3(kN / 32, kM / 32), 128>>>(da, db, dc);
  } else {
    gemmOfSquads<<<dim3(kN / 64, kM / 128), 256, 128 * 128 + 64 * 128>>>(da, db, dc);
  }
  const musaError_t error = musaMemcpy(c.data(), dc, c.size() * 4, musaMemcpyDeviceToHost);
  int bad = 0;
  for (size_t i = 0; i < c.size(); ++i) bad += c[i] != want[i];
  if (error != musaSuccess || bad != 0) {
    printf("%s, %d sums differ\n", musaGetErrorString(error), bad);
    return 1;
  }
  printf("ok\n");
  return 0;
}
