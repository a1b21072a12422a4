// Barriers of a block by their numbers: some of its warps meet, others only arrive, and the rest do neither.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("control.named_barriers");

__device__ void sync(int id, int count) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory"); }
__device__ void arrive(int id, int count) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(count) : "memory");
}

// Each half of a block meets on its own, in rounds that differ in number.
__global__ void halves(int* out) {
  __shared__ int values[2][64];
  const int half = static_cast<int>(threadIdx.x) / 64, me = static_cast<int>(threadIdx.x) % 64;
  int value = me;
  for (int round = 0; round < 3 + half * 4; ++round) {
    values[half][me] = value;
    sync(half + 1, 64);
    value = values[half][(me * 3 + 1) % 64] + round;
    sync(half + 1, 64);
  }
  __syncthreads();
  out[threadIdx.x] = value + values[1 - half][me];
}

// One warp produces, three consume, through two slots: full and empty are barriers of all four warps.
__global__ void producer(const int* in, int* out, int rounds) {
  __shared__ int slots[2][32];
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const int slot = round % 2;
    if (warp == 0) {
      if (round >= 2) sync(3 + slot, 128);
      slots[slot][lane] = in[round * 32 + lane];
      __threadfence_block();
      arrive(1 + slot, 128);
    } else {
      sync(1 + slot, 128);
      sum = sum * 3 + slots[slot][(lane + warp) % 32];
      if (round + 2 < rounds) arrive(3 + slot, 128);
    }
  }
  out[threadIdx.x] = sum;
}

// Pairs of warps, as kernels have them that split their warps into groups: ids from registers.
__global__ void pairs(int* out) {
  __shared__ int values[8][32];
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  values[warp][lane] = warp * 100 + lane;
  asm volatile("barrier.sync %0, %1;" ::"r"(1 + warp / 2), "r"(64) : "memory");
  int value = values[warp ^ 1][31 - lane];
  asm volatile("barrier.cta.sync %0, 64;" ::"r"(1 + warp / 2) : "memory");
  values[warp][lane] = value * 2;
  asm volatile("barrier.sync.aligned %0, 64;" ::"r"(9 + warp / 2) : "memory");
  value += values[warp ^ 1][lane];
  out[threadIdx.x] = value;
}

// A reduction over the threads of one barrier.
__global__ void reductions(int* out) {
  const int me = static_cast<int>(threadIdx.x), part = me / 64;
  unsigned count;
  int any, all;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, %2, 64, p; }"
               : "=r"(count)
               : "r"(me % (3 + part)), "r"(part + 1)
               : "memory");
  asm volatile(
      "{ .reg .pred p, q; setp.eq.s32 p, %1, 70; bar.red.or.pred q, %2, 64, p; selp.s32 %0, 1, 0, q; }"
      : "=r"(any)
      : "r"(me), "r"(part + 1)
      : "memory");
  asm volatile(
      "{ .reg .pred p, q; setp.lt.s32 p, %1, 64; barrier.cta.red.and.pred q, %2, 64, p; selp.s32 %0, 1, 0, "
      "q; }"
      : "=r"(all)
      : "r"(me), "r"(part + 1)
      : "memory");
  out[me] = static_cast<int>(count) * 100 + any * 10 + all;
}

// All sixteen in one kernel.
__global__ void all(int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  for (int id = 0; id < 16; ++id) {
    if (static_cast<int>(threadIdx.x) == id % 4 * 32 + 7) total += id;
    sync(id, 128);
  }
  out[threadIdx.x] = total;
}

int main() {
  const DeviceArray<int> out(256);
  halves<<<1, 128>>>(out.data());
  OBSERVE("halves", joined(out.read()));
  std::vector<int> numbers(11 * 32);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * i % 97);
  const DeviceArray<int> in(numbers);
  producer<<<1, 128>>>(in.data(), out.data(), 11);
  OBSERVE("producer", joined(out.read()));
  pairs<<<1, 256>>>(out.data());
  OBSERVE("pairs", joined(out.read()));
  reductions<<<1, 128>>>(out.data());
  OBSERVE("reductions", joined(out.read()));
  all<<<1, 128>>>(out.data());
  OBSERVE("all", joined(out.read()));
}
