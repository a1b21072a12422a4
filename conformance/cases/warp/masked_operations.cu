// Votes, matches, reductions and shuffles in branches and loops that only some lanes are in.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.masked_operations");

constexpr int kThreads = 96;

__global__ void votesInBranches(unsigned* out) {
  const unsigned me = threadIdx.x, lane = me % 32;
  unsigned seen;
  if (lane < 12) {
    seen = __ballot_sync(0x00000fffu, lane & 1) + (__all_sync(0x00000fffu, lane < 12) != 0 ? 1u << 16 : 0);
  } else if (lane % 2 == 0) {
    seen = __ballot_sync(0x55555000u, me > 40) + (__any_sync(0x55555000u, me == 50) != 0 ? 2u : 0);
  } else {
    seen = __all_sync(0xaaaaa000u, me > 12) != 0 ? 77 : 88;
    if (lane > 20) seen += __any_sync(0xaaa00000u, lane == 31) != 0 ? 1000 : 2000;
  }
  out[me] = seen;
}

__global__ void matches(unsigned* out) {
  const unsigned me = threadIdx.x, lane = me % 32;
  unsigned long long seen;
  int all = -1;
  if (lane >= 8) {
    seen = __match_any_sync(0xffffff00u, me / 5);
    seen = seen * 3 + __match_all_sync(0xffffff00u, lane / 32, &all);
    seen += static_cast<unsigned>(all != 0);
  } else {
    seen = __match_any_sync(0x000000ffu, static_cast<unsigned long long>(lane % 3) << 40);
    seen = seen * 3 + __match_all_sync(0x000000ffu, lane == 3 ? 1.5 : 2.5, &all);
    seen += static_cast<unsigned>(all != 0);
  }
  out[me] = static_cast<unsigned>(seen ^ (seen >> 32));
}

__device__ int reduced(unsigned mask, int me) {
  const unsigned bits = static_cast<unsigned>(me) * 2654435761u;
  int result =
      __reduce_add_sync(mask, me) + __reduce_min_sync(mask, -me) * 3 + __reduce_max_sync(mask, me - 40) * 5;
  result ^=
      static_cast<int>(__reduce_and_sync(mask, bits | 0xf0u) + __reduce_or_sync(mask, bits & 0xff0f0fffu));
  result += static_cast<int>(__reduce_xor_sync(mask, bits) + __reduce_max_sync(mask, bits) -
                             __reduce_min_sync(mask, bits));
  return result;
}

__global__ void reductions(int* out) {
  const int me = static_cast<int>(threadIdx.x), lane = me % 32;
  int result;
  if (lane == 7) {
    result = reduced(1u << 7, me);
  } else if (lane < 16) {
    result = reduced(0x0000ff7fu, me);
  } else {
    result = reduced(0xffff0000u, me);
  }
  out[me] = result;
}

// Lanes leave one after another; those who stay know who is left.
__global__ void leavingLoop(unsigned* out) {
  const unsigned me = threadIdx.x, lane = me % 32;
  unsigned rounds = me * 7 % 11, here = 0xffffffffu, history = 0;
  for (;;) {
    here = __ballot_sync(here, rounds != 0);
    if (rounds == 0) break;
    --rounds;
    const unsigned first = static_cast<unsigned>(__ffs(static_cast<int>(here))) - 1;
    history = history * 31 + __shfl_sync(here, me + rounds, static_cast<int>(first), 32);
    if (__any_sync(here, lane == 30)) history ^= here;
    __syncwarp(here);
  }
  __syncwarp();
  out[me] = history + __shfl_xor_sync(0xffffffffu, history, 1, 32);
}

__device__ __noinline__ unsigned sumOf(unsigned mask, unsigned value) {
  unsigned sum = 0;
  for (unsigned rest = mask; rest != 0; rest &= rest - 1)
    sum += __shfl_sync(mask, value, __ffs(static_cast<int>(rest)) - 1, 32);
  return sum;
}

// In a function that is not inlined, from both ways of a branch.
__global__ void inFunctions(unsigned* out) {
  const unsigned me = threadIdx.x;
  const bool third = me % 3 == 0;
  const unsigned thirds = __ballot_sync(0xffffffffu, third);
  unsigned result;
  if (third) {
    result = sumOf(thirds, me);
  } else {
    result = sumOf(~thirds, me * 1000);
  }
  out[me] = result;
}

// Halves of a warp hand values on through shared memory.
__global__ void halves(unsigned* out) {
  __shared__ unsigned shared[kThreads];
  const unsigned me = threadIdx.x, lane = me % 32;
  unsigned value = me * me;
  if (lane < 16) {
    for (int i = 0; i < 3; ++i) {
      shared[me] = value;
      __syncwarp(0x0000ffffu);
      value += shared[me ^ 5];
      __syncwarp(0x0000ffffu);
    }
  } else {
    shared[me] = value;
    __syncwarp(0xffff0000u);
    value = shared[me ^ 8];
  }
  __syncwarp();
  shared[me] = value;
  __syncwarp();
  out[me] = shared[me ^ 16];
}

int main() {
  DeviceArray<unsigned> out(kThreads);
  votesInBranches<<<1, kThreads>>>(out.data());
  OBSERVE("votes", joined(out.read()));
  matches<<<1, kThreads>>>(out.data());
  OBSERVE("matches", joined(out.read()));
  DeviceArray<int> sums(kThreads);
  reductions<<<1, kThreads>>>(sums.data());
  OBSERVE("reductions", joined(sums.read()));
  leavingLoop<<<1, kThreads>>>(out.data());
  OBSERVE("leaving_loop", joined(out.read()));
  inFunctions<<<1, kThreads>>>(out.data());
  OBSERVE("functions", joined(out.read()));
  halves<<<1, kThreads>>>(out.data());
  OBSERVE("halves", joined(out.read()));
}
