// Cooperative groups: tiles in tiles of several warps, parts of coalesced threads, elected members, barriers
// in two parts, and musa::std's atomics. Checks itself.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <musa_runtime.h>

#include <cstdio>
#include <musa/std/atomic>

namespace cg = cooperative_groups;

constexpr int kThreads = 256, kResults = 8;

__global__ void nestedTiles(int* out) {
  __shared__ cg::block_tile_memory<kThreads> memory;
  const auto block = cg::this_thread_block(memory);
  const auto large = cg::tiled_partition<128>(block);
  const auto small = cg::tiled_partition<64>(large);
  const int rank = static_cast<int>(block.thread_rank());
  int* results = out + rank * kResults;
  results[0] = cg::reduce(large, rank, cg::plus<int>());
  results[1] = cg::reduce(small, rank, cg::greater<int>());
  large.sync();
  results[2] = small.any(rank == 70);
  results[3] = large.all(rank < 128);
  results[4] = static_cast<int>(small.meta_group_rank());
  results[5] = static_cast<int>(large.meta_group_rank());
  results[6] = small.shfl(rank, 3);
  results[7] = static_cast<int>(small.meta_group_size());
}

static int wantedOfTiles(int rank, int result) {
  const int large = rank / 128 * 128, small = rank / 64 * 64;
  switch (result) {
    case 0:
      return 128 * large + 127 * 64;
    case 1:
      return small + 63;
    case 2:
      return small == 64;
    case 3:
      return large == 0;
    case 4:
      return rank / 64 % 2;
    case 5:
      return rank / 128;
    case 6:
      return small + 3;
    default:
      return 2;
  }
}

__device__ musa::std::atomic<int> calls;

// Of 32 threads.
__global__ void members(int* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int rank = static_cast<int>(block.thread_rank());
  int* results = out + rank * kResults;
  cg::invoke_one(warp, [](int add) { calls.fetch_add(add); }, 5);
  results[0] = cg::invoke_one_broadcast(warp, [] { return calls.load() + 2; });
  __shared__ int shared[32];
  shared[rank] = rank * 2;
  auto token = block.barrier_arrive();
  block.barrier_wait(static_cast<decltype(token)&&>(token));
  results[1] = shared[31 - rank];
  results[2] = static_cast<int>(cg::this_thread().size() + cg::this_thread().thread_rank());
  results[3] = results[4] = -1;
  if (rank % 2 == 1) {
    const auto odd = cg::coalesced_threads();
    const auto four = cg::tiled_partition(odd, 4);
    results[3] = four.shfl(rank, 1);
    results[4] = static_cast<int>(four.meta_group_rank() * 100 + four.meta_group_size() * 10 + four.size());
  }
}

static int wantedOfMembers(int rank, int result) {
  const bool odd = rank % 2 == 1;
  const int wanted[] = {7, (31 - rank) * 2, 1, odd ? rank / 8 * 8 + 3 : -1, odd ? rank / 8 * 100 + 44 : -1};
  return wanted[result];
}

template <class Wanted>
static int wrongIn(const char* name, const int* out, int threads, int results, Wanted wanted) {
  int wrong = musaDeviceSynchronize() != musaSuccess;
  for (int rank = 0; rank < threads; ++rank) {
    for (int i = 0; i < results; ++i) {
      if (out[rank * kResults + i] == wanted(rank, i)) continue;
      if (++wrong < 10)
        std::printf("%s, thread %d, %d: %d, not %d\n", name, rank, i, out[rank * kResults + i],
                    wanted(rank, i));
    }
  }
  return wrong;
}

int main() {
  int* out = nullptr;
  if (musaMallocManaged(&out, kThreads * kResults * sizeof(int)) != musaSuccess) return 1;
  nestedTiles<<<1, kThreads>>>(out);
  int wrong = wrongIn("tiles", out, kThreads, kResults, wantedOfTiles);
  members<<<1, 32>>>(out);
  wrong += wrongIn("members", out, 32, 5, wantedOfMembers);
  return wrong != 0;
}
