// Cooperative groups: coalesced threads, partitions, reduce and scan over tiles and groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda/atomic>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.group_algorithms");

namespace cg = cooperative_groups;

constexpr int kThreads = 64;

__global__ void block(unsigned* out) {
  const cg::thread_block group = cg::this_thread_block();
  __shared__ unsigned shared[kThreads];
  const unsigned me = static_cast<unsigned>(group.thread_rank());
  shared[me] = me;
  group.sync();
  unsigned* row = out + me * 5;
  row[0] = shared[kThreads - 1 - me];
  row[1] = static_cast<unsigned>(group.size());
  row[2] = group.thread_index().x + group.thread_index().y * 100 + group.group_index().x * 10000;
  row[3] = group.dim_threads().y;
  row[4] = me;
}

template <unsigned kSize>
__global__ void reduceTiles(int* out) {
  const auto tile = cg::tiled_partition<kSize>(cg::this_thread_block());
  const int me = static_cast<int>(threadIdx.x);
  int* row = out + me * 6;
  row[0] = cg::reduce(tile, me, cg::plus<int>());
  row[1] = cg::reduce(tile, me * 37 % 41, cg::less<int>());
  row[2] = cg::reduce(tile, me * 37 % 41, cg::greater<int>());
  row[3] = cg::reduce(tile, me, cg::bit_xor<int>());
  row[4] = cg::inclusive_scan(tile, me + 1, cg::plus<int>());
  row[5] = cg::exclusive_scan(tile, me + 1, cg::plus<int>());
}

__global__ void coalesced(int* out) {
  const int me = static_cast<int>(threadIdx.x);
  int* row = out + me * 5;
  if (me % 3 == 1) {
    const cg::coalesced_group group = cg::coalesced_threads();
    row[0] = static_cast<int>(group.size());
    row[1] = static_cast<int>(group.thread_rank());
    row[2] = group.shfl(me, 2);
    row[3] = group.shfl_down(me, 1) * (group.thread_rank() + 1 < group.size());
    row[4] = cg::reduce(group, me, cg::plus<int>());
  } else {
    const cg::coalesced_group group = cg::coalesced_threads();
    row[0] = -static_cast<int>(group.size());
    row[1] = static_cast<int>(group.ballot(me % 2));
    row[2] = group.any(me == 33);
    row[3] = group.all(me >= 0);
    row[4] = cg::inclusive_scan(group, me);
  }
}

__global__ void partitions(int* out) {
  const int me = static_cast<int>(threadIdx.x);
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const auto labeled = cg::labeled_partition(tile, me % 5);
  const auto binary = cg::binary_partition(tile, me % 7 < 3);
  int* row = out + me * 4;
  row[0] = static_cast<int>(labeled.size()) * 100 + static_cast<int>(labeled.thread_rank());
  row[1] = cg::reduce(labeled, me, cg::plus<int>());
  row[2] = static_cast<int>(binary.size()) * 100 + static_cast<int>(binary.thread_rank());
  row[3] = binary.shfl(me, 0);
}

// Scans that go on from an atomic, one tile after the other; reductions into memory.
__global__ void updates(int* out, int* totals) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const int me = static_cast<int>(threadIdx.x);
  using Atomic = cuda::atomic_ref<int, cuda::thread_scope_device>;
  Atomic scanned(totals[0]), exclusive(totals[1]), reduced(totals[2]), least(totals[3]);
  for (unsigned turn = 0; turn < tile.meta_group_size(); ++turn) {
    if (tile.meta_group_rank() == turn) {
      out[me * 3] = cg::inclusive_scan_update(tile, scanned, me, cg::plus<int>());
      out[me * 3 + 1] = cg::exclusive_scan_update(tile, exclusive, me + 1);
      cg::reduce_update_async(tile, reduced, me, cg::plus<int>());
      cg::reduce_update_async(tile, least, me - 70, cg::less<int>());
      cg::reduce_store_async(tile, totals + 4 + turn, me, cg::greater<int>());
    }
    block.sync();
  }
  out[me * 3 + 2] = 0;
  if (me < 32 && me % 3 == 1) {
    const cg::coalesced_group group = cg::coalesced_threads();
    Atomic odd(totals[8]);
    out[me * 3 + 2] = cg::exclusive_scan_update(group, odd, me, cg::bit_xor<int>());
    cg::reduce_store_async(group, totals + 9, me, cg::bit_or<int>());
  }
}

// Tiles in code that only some of the tiles run.
__global__ void someTiles(int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int value = static_cast<int>(threadIdx.x);
  if (tile.meta_group_rank() % 2 == 1) {
    for (int i = 4; i > 0; i /= 2) value += tile.shfl_xor(value, i);
    tile.sync();
  }
  out[threadIdx.x] = value;
}

template <unsigned kSize>
static void observeTiles() {
  DeviceArray<int> out(kThreads * 6);
  reduceTiles<kSize><<<1, kThreads>>>(out.data());
  OBSERVE("tiles_" + std::to_string(kSize), joined(out.read()));
}

int main() {
  DeviceArray<unsigned> values(kThreads * 5);
  block<<<1, dim3(16, 4)>>>(values.data());
  OBSERVE("block", joined(values.read()));
  observeTiles<32>();
  observeTiles<16>();
  observeTiles<4>();
  observeTiles<2>();
  DeviceArray<int> rows(kThreads * 5);
  coalesced<<<1, kThreads>>>(rows.data());
  OBSERVE("coalesced", joined(rows.read()));
  DeviceArray<int> parts(kThreads * 4);
  partitions<<<1, kThreads>>>(parts.data());
  OBSERVE("partitions", joined(parts.read()));
  DeviceArray<int> some(kThreads);
  someTiles<<<1, kThreads>>>(some.data());
  OBSERVE("some_tiles", joined(some.read()));
  DeviceArray<int> scans(kThreads * 3), totals(10);
  updates<<<1, kThreads>>>(scans.data(), totals.data());
  OBSERVE("update_scans", joined(scans.read()));
  OBSERVE("update_totals", joined(totals.read()));
}
