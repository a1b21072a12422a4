// Shuffles that say where a value lies, matches, votes and elections of inline PTX.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.ptx_warp");

__device__ unsigned up(unsigned value, unsigned by, unsigned limits) {
  unsigned r;
  asm volatile(
      "{ .reg .u32 t; .reg .pred p; shfl.sync.up.b32 t|p, %1, %2, %3, %4; @p add.u32 t, t, 1000; mov.u32 %0, "
      "t; }"
      : "=r"(r)
      : "r"(value), "r"(by), "r"(limits), "r"(0xffffffffu));
  return r;
}

__device__ unsigned down(unsigned value, unsigned by, unsigned limits) {
  unsigned r;
  asm volatile(
      "{ .reg .u32 t; .reg .pred p; shfl.sync.down.b32 t|p, %1, %2, %3, %4; @p add.u32 t, t, 1000; mov.u32 "
      "%0, t; }"
      : "=r"(r)
      : "r"(value), "r"(by), "r"(limits), "r"(0xffffffffu));
  return r;
}

__device__ unsigned across(unsigned value, unsigned by, unsigned limits) {
  unsigned r;
  asm volatile(
      "{ .reg .u32 t; .reg .pred p; shfl.sync.bfly.b32 t|p, %1, %2, %3, %4; @p add.u32 t, t, 1000; mov.u32 "
      "%0, t; }"
      : "=r"(r)
      : "r"(value), "r"(by), "r"(limits), "r"(0xffffffffu));
  return r;
}

__device__ unsigned from(unsigned value, unsigned by, unsigned limits) {
  unsigned r;
  asm volatile(
      "{ .reg .u32 t; .reg .pred p; shfl.sync.idx.b32 t|p, %1, %2, %3, %4; @p add.u32 t, t, 1000; mov.u32 "
      "%0, t; }"
      : "=r"(r)
      : "r"(value), "r"(by), "r"(limits), "r"(0xffffffffu));
  return r;
}

template <unsigned (*kShuffle)(unsigned, unsigned, unsigned)>
__global__ void shuffles(unsigned* out, const unsigned* limits, int count) {
  const unsigned lane = threadIdx.x;
  int row = 0;
  for (int i = 0; i < count; ++i) {
    for (unsigned by = 0; by < 32; by += 3) out[row++ * 32 + lane] = kShuffle(lane * 5, by, limits[i]);
    out[row++ * 32 + lane] = kShuffle(lane * 5, lane * 7 % 32, limits[i]);
  }
}

template <unsigned (*kShuffle)(unsigned, unsigned, unsigned)>
static void observe(const char* name) {
  std::vector<unsigned> limits;
  for (unsigned width = 1; width <= 32; width *= 2) {
    for (const unsigned clamp : {0u, 31u, 5u, 17u}) limits.push_back((32 - width) << 8 | clamp);
  }
  const DeviceArray<unsigned> in(limits);
  const DeviceArray<unsigned> out(limits.size() * 12 * 32);
  shuffles<kShuffle><<<1, 32>>>(out.data(), in.data(), static_cast<int>(limits.size()));
  OBSERVE(name, joined(out.read()));
}

// An inclusive sum, as libraries write it.
__global__ void scans(unsigned* out, unsigned long long* longs, float* reals) {
  unsigned sum = threadIdx.x * 3 + 1;
  unsigned long long sum64 = (unsigned long long)threadIdx.x << 31 | 7;
  float real = static_cast<float>(threadIdx.x) * 0.5f;
  for (unsigned by = 1; by < 32; by *= 2) {
    asm volatile(
        "{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, %2, %3, %4; @p add.s32 r0, r0, %5; mov.s32 "
        "%0, r0; }"
        : "=r"(sum)
        : "r"(sum), "r"(by), "r"(0), "r"(0xffffffffu), "r"(sum));
    asm volatile(
        "{ .reg .u64 r0; .reg .u32 lo, hi; .reg .pred p; mov.b64 {lo, hi}, %1; shfl.sync.up.b32 lo|p, lo, "
        "%2, %3, %4; "
        "shfl.sync.up.b32 hi|p, hi, %2, %3, %4; mov.b64 r0, {lo, hi}; @p add.u64 r0, r0, %5; mov.u64 %0, r0; "
        "}"
        : "=l"(sum64)
        : "l"(sum64), "r"(by), "r"(0), "r"(0xffffffffu), "l"(sum64));
    asm volatile(
        "{ .reg .f32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, %2, %3, %4; @p add.f32 r0, r0, %5; mov.f32 "
        "%0, r0; }"
        : "=f"(real)
        : "f"(real), "r"(by), "r"(0), "r"(0xffffffffu), "f"(real));
  }
  out[threadIdx.x] = sum;
  longs[threadIdx.x] = sum64;
  reals[threadIdx.x] = real;
}

__global__ void agreements(unsigned* out) {
  const unsigned lane = threadIdx.x;
  for (unsigned round = 0; round < 3; ++round) {
    const unsigned value = round == 0 ? 7u : round == 1 ? lane / 16 : lane / 31;
    unsigned mask, same, uniform, leader, chosen = 0;
    asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, 0xffffffff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(mask), "=r"(same)
                 : "r"(value));
    asm volatile(
        "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; vote.sync.uni.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; "
        "}"
        : "=r"(uniform)
        : "r"(value));
    asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; @p mov.u32 %1, 1; }"
                 : "=r"(leader), "+r"(chosen));
    unsigned* mine = out + (round * 32 + lane) * 4;
    mine[0] = mask;
    mine[1] = same * 2 + uniform;
    mine[2] = leader;
    mine[3] = chosen;
  }
}

int main() {
  observe<up>("up");
  observe<down>("down");
  observe<across>("across");
  observe<from>("from");
  const DeviceArray<unsigned> out(32);
  const DeviceArray<unsigned long long> longs(32);
  const DeviceArray<float> reals(32);
  scans<<<1, 32>>>(out.data(), longs.data(), reals.data());
  OBSERVE("sums", joined(out.read()));
  OBSERVE("sums_of_longs", joined(longs.read()));
  OBSERVE("sums_of_reals", joined(reals.read()));
  const DeviceArray<unsigned> agreed(3 * 32 * 4);
  agreements<<<1, 32>>>(agreed.data());
  OBSERVE("agreements", joined(agreed.read()));
}
