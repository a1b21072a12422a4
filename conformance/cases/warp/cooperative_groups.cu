// Groups of threads: the block, tiles of it.
#include <cooperative_groups.h>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.cooperative_groups");

namespace cg = cooperative_groups;

template <unsigned kSize>
__global__ void sumOfTiles(int* sums, unsigned* ranks) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<kSize> tile = cg::tiled_partition<kSize>(block);
  int value = static_cast<int>(block.thread_rank());
  for (unsigned offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
  if (tile.thread_rank() == 0) sums[block.thread_rank() / kSize] = value;
  ranks[block.thread_rank()] = tile.thread_rank() * 100 + tile.meta_group_rank();
}

__global__ void votes(unsigned* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  const unsigned ballot = tile.ballot(tile.thread_rank() % 3 == 1);
  const int any = tile.any(block.thread_rank() == 20);
  const int all = tile.all(block.thread_rank() < 16);
  const int swapped = tile.shfl_xor(static_cast<int>(tile.thread_rank()), 1);
  const int fifth = tile.shfl(static_cast<int>(block.thread_rank()), 5);
  block.sync();
  unsigned* row = out + block.thread_rank() * 5;
  row[0] = ballot;
  row[1] = any != 0;
  row[2] = all != 0;
  row[3] = static_cast<unsigned>(swapped);
  row[4] = static_cast<unsigned>(fifth);
}

template <unsigned kSize>
static void observeTiles() {
  DeviceArray<int> sums(64 / kSize);
  DeviceArray<unsigned> ranks(64);
  sumOfTiles<kSize><<<1, 64>>>(sums.data(), ranks.data());
  OBSERVE("sums_" + std::to_string(kSize), joined(sums.read()));
  OBSERVE("ranks_" + std::to_string(kSize), joined(ranks.read()));
}

int main() {
  observeTiles<32>();
  observeTiles<8>();
  observeTiles<4>();
  DeviceArray<unsigned> out(32 * 5);
  votes<<<1, 32>>>(out.data());
  OBSERVE("votes", joined(out.read()));
}
