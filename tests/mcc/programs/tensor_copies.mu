// mp_31's copies between tensors and shared memory, with the barriers that count them: tiles of one to five
// dimensions that reach out of their tensor, each swizzle, blocks of bytes, and a product whose tiles one
// warp fetches while two squads multiply. Checks itself.
#include <musa.h>
#include <musa_fp16.h>
#include <musa_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

using V2 = int32_t __attribute__((vector_size(8)));
using V3 = int32_t __attribute__((vector_size(12)));
using V4 = int32_t __attribute__((vector_size(16)));
using V5 = int32_t __attribute__((vector_size(20)));

__device__ __attribute__((address_space(3))) void* shared(const void* pointer) {
  return reinterpret_cast<__attribute__((address_space(3))) void*>(
      uint64_t(uint32_t(__cvta_generic_to_shared(pointer))));
}
__device__ __attribute__((address_space(1))) void* global(const void* pointer) {
  return reinterpret_cast<__attribute__((address_space(1))) void*>(reinterpret_cast<uint64_t>(pointer));
}

struct Box {
  int dims[5], from[5];
};

// Reads a tile, gives its bytes as they lie in shared memory, and stores it to another tensor.
template <int kRank>
__global__ void throughTile(__grid_constant__ const MUtensorDescriptor from,
                            __grid_constant__ const MUtensorDescriptor to, Box box, int granule, int stride,
                            int line, int bytes, char* out) {
#if __MUSA_ARCH__ == 310
  extern __shared__ __align__(4096) char tile[];
  __musa_async_bar_record(2);
  if (threadIdx.x == 0) __musa_async_init_arrival(1, 1, 0);
  __syncthreads();
  const uint64_t source = reinterpret_cast<uint64_t>(&from), target = reinterpret_cast<uint64_t>(&to);
#define MOVE(n, dims, at)                                                                                \
  if constexpr (kRank == n) {                                                                            \
    if (threadIdx.x == 32) {                                                                             \
      __musa_async_add_trans(1, bytes);                                                                  \
      __musa_async_arrive(1);                                                                            \
      __musa_tme_ld_tile_##n##d(1, shared(tile), source, dims, at, granule, stride, line, 128, 2, 2, 0); \
    }                                                                                                    \
    __musa_async_wait(1, 0);                                                                             \
    if (threadIdx.x == 0) {                                                                              \
      __musa_tme_st_##n##d(shared(tile), target, dims, at, granule, stride, line, 2, 2, 1);              \
      __musa_tme_store_commit();                                                                         \
      __musa_tme_store_read_wait();                                                                      \
    }                                                                                                    \
  }
  const int *d = box.dims, *f = box.from;
  MOVE(1, d[0], f[0])
  MOVE(2, (V2{d[0], d[1]}), (V2{f[0], f[1]}))
  MOVE(3, (V3{d[0], d[1], d[2]}), (V3{f[0], f[1], f[2]}))
  MOVE(4, (V4{d[0], d[1], d[2], d[3]}), (V4{f[0], f[1], f[2], f[3]}))
  MOVE(5, (V5{d[0], d[1], d[2], d[3], d[4]}), (V5{f[0], f[1], f[2], f[3], f[4]}))
  for (int i = threadIdx.x; i < bytes; i += blockDim.x) out[i] = tile[i];
#endif
}

__global__ void blocks(const char* from, char* to, int bytes) {
#if __MUSA_ARCH__ == 310
  extern __shared__ __align__(4096) char tile[];
  if (threadIdx.x == 0) __musa_async_init_arrival(0, 2, 1);
  __syncthreads();
  if (threadIdx.x == 0) __musa_async_arrive_add_trans(0, bytes);
  if (threadIdx.x == 32) {
    __musa_async_arrive(0);
    __musa_tme_ld_blk(shared(tile), global(from), bytes, 0, 1, 3, 1, 128, 2, 2, 0);
  }
  __musa_async_wait(0, 1);
  if (threadIdx.x == 40) __musa_tme_st_blk(shared(tile), global(to), bytes, 1, 3, 1, 2, 2, 0);
#endif
}

// Threads 256 and on fetch; the squads before them multiply 128 x 64 with k in steps of 64, two tiles at a
// time.
constexpr int kM = 256, kN = 128, kK = 512;
__global__ void gemm(__grid_constant__ const MUtensorDescriptor a,
                     __grid_constant__ const MUtensorDescriptor b, float* c) {
#if __MUSA_ARCH__ == 310
  extern __shared__ __align__(4096) char tiles[];
  constexpr int kTileA = 128 * 128, kTileB = 64 * 128, kStages = 2;
  const auto tileA = [&](int stage) { return tiles + stage * (kTileA + kTileB); };
  const auto tileB = [&](int stage) { return tileA(stage) + kTileA; };
  const int row = blockIdx.y * 128, column = blockIdx.x * 64;
  __musa_async_bar_record(2 * kStages);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      __musa_async_init_arrival(stage, 1, 0);            // full
      __musa_async_init_arrival(kStages + stage, 8, 0);  // empty: eight warps
    }
  }
  __syncthreads();
  if (threadIdx.x >= 256) {
    if (threadIdx.x == 256) {
      for (int step = 0; step < kK / 64; ++step) {
        const int stage = step % kStages;
        if (step >= kStages) __musa_async_wait(kStages + stage, (step / kStages - 1) & 1);
        __musa_async_add_trans(stage, kTileA + kTileB);
        __musa_tme_ld_tile_2d(stage, shared(tileA(stage)), reinterpret_cast<uint64_t>(&a), (V2{64, 128}),
                              (V2{step * 64, row}), 1, 3, 1, 128, 2, 2, 0);
        __musa_tme_ld_tile_2d(stage, shared(tileB(stage)), reinterpret_cast<uint64_t>(&b), (V2{64, 64}),
                              (V2{step * 64, column}), 1, 3, 1, 128, 2, 2, 0);
        __musa_async_arrive(stage);
      }
    }
    return;
  }
  const int squad = threadIdx.x / 128, lane = threadIdx.x % 128;
  const auto descriptor = [](const void* tile, int from) {
    return int((uint32_t(__cvta_generic_to_shared(tile)) + from) | 5u << 18 | 1u << 21);
  };
  int sums[32];
  for (int step = 0; step < kK / 64; ++step) {
    const int stage = step % kStages;
    __musa_async_wait(stage, step / kStages & 1);
    for (int k = 0; k < 64; k += 32) {
      const int left = descriptor(tileA(stage), squad * 64 * 128 + k * 2),
                right = descriptor(tileB(stage), k * 2);
      __musa_sqmma_m64n64_mma(sums, &left, &right, sums, 0, 1, 0, 0, step + k == 0, 0, 32, 2);
    }
    __musa_tce_commit_group();
    __musa_tce_wait_group(0);
    __musa_async_arrive(kStages + stage);
  }
  for (int i = 0; i < 32; ++i) {
    const int at = lane / 8 % 4 + lane / 32 * 4 + i / 8 * 16, across = lane % 8 + i % 2 * 8 + i / 2 % 4 * 16;
    memcpy(&c[(row + squad * 64 + at) * kN + column + across], &sums[i], 4);
  }
#endif
}

int failures = 0;
void expect(bool holds, const char* what, int number) {
  if (holds) return;
  printf("%s %d: wrong (%s)\n", what, number, musaGetErrorString(musaGetLastError()));
  ++failures;
}

// Swizzled place of a byte of the tile.
unsigned place(unsigned at, int granule, int stride, int line) {
  if (granule == 0) return at;
  const unsigned bytes = 8u << granule, lineBytes = 128u << line, granules = (32u << stride) / bytes;
  const unsigned number = at / lineBytes, within = at % lineBytes;
  return number * lineBytes + ((within / bytes) ^ number % granules) * bytes + within % bytes;
}

template <int kRank>
void checkTiles(MUtensorDescriptorDataType type, int size) {
  const int dims[5] = {64 / size * 2, 5, 3, 4, 2};
  int elements = 1;
  muuint64_t tensorDims[5], strides[4];
  for (int i = 0; i < kRank; ++i) {
    tensorDims[i] = dims[i];
    elements *= dims[i];
    if (i + 1 < kRank) strides[i] = elements * size;
  }
  std::vector<unsigned char> data(elements * size), zeros(data.size()), tile, stored(data.size());
  for (size_t i = 0; i < data.size(); ++i) data[i] = (unsigned char)(i * 7 + 1);
  char *from, *to, *out;
  musaMalloc(&from, data.size());
  musaMalloc(&to, data.size());
  musaMalloc(&out, 1 << 16);
  musaMemcpy(from, data.data(), data.size(), musaMemcpyHostToDevice);
  MUtensorDescriptor source, target;
  const muuint64_t fill = 0x1122334455667788;
  expect(muTensorDescriptorEncode(&source, type, kRank, from, tensorDims, strides,
                                  MU_TENSOR_DESCRIPTOR_INTERLEAVE_NONE, fill) == MUSA_SUCCESS,
         "a descriptor of rank", kRank);
  muTensorDescriptorEncode(&target, type, kRank, to, tensorDims, strides,
                           MU_TENSOR_DESCRIPTOR_INTERLEAVE_NONE, fill);
  const int swizzles[][3] = {{0, 3, 1}, {1, 3, 1}, {2, 3, 1}, {3, 3, 1}, {1, 2, 0}, {1, 0, 0}, {2, 1, 1}};
  int number = 0;
  for (const auto& swizzle : swizzles) {
    for (int variant = 0; variant < 4; ++variant, ++number) {
      Box box = {{64 / size, 4, 2, 2, 2}, {0, 0, 0, 0, 0}};
      if (variant == 1) box = {{64 / size, 4, 2, 2, 2}, {-3, -1, 2, 3, 1}};
      if (variant == 2) box = {{64 / size, 4, 2, 2, 2}, {dims[0] - 5, 3, -1, 1, -1}};
      if (variant == 3) box = {{64 / size, 4, 2, 2, 2}, {dims[0] + 9, 0, 0, 0, 0}};
      int count = 1;
      for (int i = 0; i < kRank; ++i) count *= box.dims[i];
      for (int i = kRank; i < 5; ++i) box.dims[i] = 1;
      const int bytes = count * size;
      musaMemset(to, 0, data.size());
      throughTile<kRank>
          <<<1, 64, 1 << 14>>>(source, target, box, swizzle[0], swizzle[1], swizzle[2], bytes, out);
      tile.assign(bytes, 0);
      bool good = musaMemcpy(tile.data(), out, bytes, musaMemcpyDeviceToHost) == musaSuccess;
      musaMemcpy(stored.data(), to, data.size(), musaMemcpyDeviceToHost);
      std::vector<unsigned char> wantStored(data.size());
      for (int i = 0; i < count; ++i) {
        int rest = i, at = 0, pitch = 1;
        bool inside = true;
        for (int j = 0; j < kRank; ++j) {
          const int coordinate = rest % box.dims[j] + box.from[j];
          rest /= box.dims[j];
          inside = inside && coordinate >= 0 && coordinate < dims[j];
          at += coordinate * pitch;
          pitch *= dims[j];
        }
        for (int byte = 0; byte < size; ++byte) {
          const unsigned char want = inside ? data[at * size + byte] : (unsigned char)(fill >> byte * 8);
          good = good && tile[place(unsigned(i * size + byte), swizzle[0], swizzle[1], swizzle[2])] == want;
          if (inside) wantStored[at * size + byte] = want;
        }
      }
      expect(good, "the tile of rank and number", kRank * 100 + number);
      expect(stored == wantStored, "the stored tile of rank and number", kRank * 100 + number);
    }
  }
  musaFree(from);
  musaFree(to);
  musaFree(out);
}

void checkBlocks() {
  const int bytes = 3000;
  char *from, *to;
  musaMallocManaged(&from, bytes);
  musaMallocManaged(&to, bytes);
  for (int i = 0; i < bytes; ++i) from[i] = char(i * 3);
  blocks<<<1, 64, 4096>>>(from, to, bytes);
  const bool good = musaDeviceSynchronize() == musaSuccess;
  expect(good && memcmp(from, to, bytes) == 0, "a block of bytes", bytes);
  musaFree(from);
  musaFree(to);
}

void checkGemm() {
  __half *a, *b;
  float* c;
  musaMallocManaged(&a, kM * kK * 2);
  musaMallocManaged(&b, kN * kK * 2);
  musaMallocManaged(&c, kM * kN * 4);
  for (int i = 0; i < kM * kK; ++i) a[i] = __float2half(float(i * 7 % 9 - 4));
  for (int i = 0; i < kN * kK; ++i) b[i] = __float2half(float(i * 5 % 7 - 3));
  const muuint64_t dimsA[] = {kK, kM}, dimsB[] = {kK, kN}, stride = kK * 2;
  MUtensorDescriptor left, right;
  muTensorDescriptorEncode(&left, MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT16, 2, a, dimsA, &stride,
                           MU_TENSOR_DESCRIPTOR_INTERLEAVE_NONE, 0);
  muTensorDescriptorEncode(&right, MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT16, 2, b, dimsB, &stride,
                           MU_TENSOR_DESCRIPTOR_INTERLEAVE_NONE, 0);
  gemm<<<dim3(kN / 64, kM / 128), 256 + 32, 2 * (128 + 64) * 128>>>(left, right, c);
  bool good = musaDeviceSynchronize() == musaSuccess;
  for (int row = 0; row < kM; ++row) {
    for (int column = 0; column < kN; ++column) {
      int sum = 0;
      for (int k = 0; k < kK; ++k) sum += ((row * kK + k) * 7 % 9 - 4) * ((column * kK + k) * 5 % 7 - 3);
      good = good && c[row * kN + column] == float(sum);
    }
  }
  expect(good, "a product of tiles that a warp fetches", kK);
}

int main() {
  musaDeviceProp properties;
  musaGetDeviceProperties(&properties, 0);
  if (properties.major == 2) {
    printf("ok, mp_22 has none\n");
    return 0;
  }
  checkTiles<1>(MU_TENSOR_DESCRIPTOR_DATA_TYPE_INT8, 1);
  checkTiles<2>(MU_TENSOR_DESCRIPTOR_DATA_TYPE_BFLOAT16, 2);
  checkTiles<3>(MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT32, 4);
  checkTiles<4>(MU_TENSOR_DESCRIPTOR_DATA_TYPE_UINT64, 8);
  checkTiles<5>(MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT16, 2);
  checkBlocks();
  checkGemm();
  if (failures == 0) printf("ok\n");
  return failures != 0;
}
