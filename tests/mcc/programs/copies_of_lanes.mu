// Copies of mp_31 between device and shared memory by some of a warp's lanes: each is made once, by the lanes
// that are there, whom __activemask names before and after, in branches, in loops that lanes leave, and after
// lanes have ended. Checks itself.
#include <musa.h>
#include <musa_runtime.h>

#include <cstdint>
#include <cstdio>

__device__ __attribute__((address_space(3))) void* shared(const void* pointer) {
  return reinterpret_cast<__attribute__((address_space(3))) void*>(
      uint64_t(uint32_t(__cvta_generic_to_shared(pointer))));
}
__device__ __attribute__((address_space(1))) void* global(const void* pointer) {
  return reinterpret_cast<__attribute__((address_space(1))) void*>(reinterpret_cast<uint64_t>(pointer));
}

constexpr int kRounds = 6, kRow = 64, kThreads = 64;

// Lanes of `mask` load a row, the others the next one.
__device__ void loadParted(unsigned mask, int barrier, char* rows, const char* from, unsigned* wrong) {
#if __MUSA_ARCH__ == 310
  const unsigned lane = threadIdx.x % 32;
  if (mask >> lane & 1u) {
    if (__activemask() != mask) atomicAdd(wrong, 1u);
    __musa_tme_ld_blk(shared(rows), global(from), kRow, barrier, 1, 3, 1, 128, 2, 2, 0);
    if (__activemask() != mask) atomicAdd(wrong, 1u);
  } else {
    const unsigned others = ~mask;
    __musa_tme_ld_blk(shared(rows + kRow), global(from + kRow), kRow, barrier, 1, 3, 1, 128, 2, 2, 0);
    if (__activemask() != others) atomicAdd(wrong, 1u);
  }
#endif
}

__global__ void parted(const char* from, char* to, unsigned* wrong) {
#if __MUSA_ARCH__ == 310
  __shared__ __align__(4096) char rows[kThreads / 32][2 * kRow];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) __musa_async_init_arrival(warp, 1, 0);
  __syncthreads();
  for (int round = 0; round < kRounds; ++round) {
    const unsigned mask = 0x9e3779b9u * (round + 1) + warp;
    if (lane == round) __musa_async_add_trans(warp, 2 * kRow);
    __syncwarp();
    loadParted(mask, warp, rows[warp], from + 2 * kRow * (round * 2 + warp), wrong);
    __musa_async_arrive(warp);
    __musa_async_wait(warp, round & 1);
    if (__activemask() != ~0u) atomicAdd(wrong, 1u);
    for (int i = lane; i < 2 * kRow; i += 32) to[2 * kRow * (round * 2 + warp) + i] = rows[warp][i];
    __syncwarp();
    const unsigned storing = mask >> 3;
    if (storing >> lane & 1u) {
      __musa_tme_st_blk(shared(rows[warp]), global(to + 2 * kRow * (round * 2 + warp)), kRow, 1, 3, 1, 2, 2,
                        0);
      __musa_tme_store_commit();
      __musa_tme_store_read_wait();
      if (__activemask() != storing) atomicAdd(wrong, 1u);
    }
    __syncwarp();
  }
#endif
}

// Lanes leave the loop one after another, or end; who stays copies.
__global__ void fewer(const char* from, char* to, unsigned* wrong, int ending) {
#if __MUSA_ARCH__ == 310
  __shared__ __align__(4096) char row[kRow];
  const int lane = threadIdx.x;
  if (lane == 31) __musa_async_init_arrival(2, 1, 0);
  __syncwarp();
  int round = 0;
  for (; round < 31 - lane || lane == 0; ++round) {
    if (round == 31) break;
    const unsigned here = ~0u >> (round + 1);
    if (__activemask() != here) atomicAdd(wrong, 1u);
    __musa_async_arrive_add_trans(2, kRow);
    __musa_tme_ld_blk(shared(row), global(from + kRow * (round % 8)), kRow, 2, 1, 3, 1, 128, 2, 2, 0);
    __musa_async_wait(2, round & 1);
    if (__activemask() != here) atomicAdd(wrong, 1u);
    if (lane == 0) {
      for (int i = 0; i < kRow; ++i) to[round * kRow + i] = row[i];
    }
    if (ending && lane == 30 - round && lane != 0) return;
  }
#endif
}

int main() {
  musaDeviceProp properties;
  musaGetDeviceProperties(&properties, 0);
  if (properties.major * 10 + properties.minor != 31) {
    std::puts("copies are mp_31's: passed");
    return 0;
  }
  constexpr int kBytes = 2 * kRow * kRounds * 2, kKept = 31 * kRow;
  char *from = nullptr, *to = nullptr;
  unsigned* wrong = nullptr;
  int failures = 0;
  const auto expect = [&](bool holds, const char* what) {
    if (!holds && ++failures) std::printf("wrong: %s\n", what);
  };
  expect(musaMallocManaged(&from, kBytes) == musaSuccess &&
             musaMallocManaged(&to, kBytes + kKept) == musaSuccess &&
             musaMallocManaged(&wrong, sizeof *wrong) == musaSuccess,
         "memory");
  *wrong = 0;
  for (int i = 0; i < kBytes; ++i) from[i] = static_cast<char>(i * 7 + i / 100);
  parted<<<1, kThreads>>>(from, to, wrong);
  expect(musaDeviceSynchronize() == musaSuccess, "parted ends");
  for (int i = 0; i < kBytes; ++i) {
    if (to[i] != from[i]) {
      expect(false, "parted copies");
      break;
    }
  }
  for (int ending = 0; ending < 2; ++ending) {
    for (int i = 0; i < kKept; ++i) to[i] = 0;
    fewer<<<1, 32>>>(from, to, wrong, ending);
    expect(musaDeviceSynchronize() == musaSuccess, "fewer ends");
    int good = 0;
    for (int i = 0; i < kKept; ++i) good += to[i] == from[kRow * (i / kRow % 8) + i % kRow];
    expect(good == kKept, "fewer copies");
  }
  expect(*wrong == 0, "__activemask");
  std::printf("%u masks, %d failures\n", *wrong, failures);
  return failures == 0 ? 0 : 1;
}
