// Grids and what blocks get to see.
#include <map>

#include "../../support.h"

namespace musashim::backend::test {
namespace {

TEST(Grid, RunsEveryBlockOnce) {
  Machine machine;
  for (MusaDim3 grid :
       {MusaDim3{1, 1, 1}, {7, 1, 1}, {3, 5, 2}, {10000, 1, 1}, {1, 300, 7}, {300000, 1, 1}}) {
    uint64_t blocks = 0, expected = uint64_t{grid.x} * grid.y * grid.z;
    std::vector<uint32_t> order(expected, UINT32_MAX);
    machine.run("count", CountParams{&blocks, order.data()}, grid);
    EXPECT_EQ(blocks, expected);
    for (uint32_t when : order) ASSERT_LT(when, expected);
  }
}

// Helpers may join at any time, so the order is seen on each host thread. Blocks of a shape that no other
// test has: of those that are known to be short, each processor begins with a share of its own.
TEST(Grid, BlocksBeginInLinearOrder) {
  Machine machine;
  constexpr uint32_t kBlocks = 3000;
  std::vector<uint32_t> order(kBlocks, 0);
  std::vector<uint64_t> hostThreads(kBlocks, 0);
  uint64_t blocks = 0;
  machine.run("count", CountParams{&blocks, order.data(), hostThreads.data()}, {50, 30, 2}, {1, 1, 2});
  std::map<uint64_t, uint32_t> latest;
  for (uint32_t i = 0; i < kBlocks; ++i) {
    auto [last, isFirst] = latest.try_emplace(hostThreads[i], order[i]);
    if (isFirst) continue;
    EXPECT_LT(last->second, order[i]) << "block " << i;
    last->second = order[i];
  }
}

TEST(Grid, BlocksMayWaitForEachOther) {
  Machine machine;
  uint64_t arrived = 0;
  machine.run("meet", CountParams{&arrived, nullptr}, {6, 1, 1});  // more blocks than processors
  EXPECT_EQ(arrived, 6u);
}

// Not even when their grid is known to be short work, of which a processor takes much at a time.
TEST(Grid, BlocksThatLookBackBeginOneByOne) {
  Machine machine;
  constexpr uint32_t kBlocks = 2000, kMostProcessors = 64;
  for (int launch = 0; launch < 5; ++launch) {
    std::vector<int64_t> began(kBlocks, 0);
    machine.run("lookBack", OutParams{began.data(), kMostProcessors}, {kBlocks, 1, 1});
    for (uint32_t i = 0; i < kBlocks; ++i) ASSERT_EQ(began[i], 1) << "block " << i << " of launch " << launch;
  }
}

TEST(Grid, ThreadsBeyondTheDataAreHarmless) {
  Machine machine;
  std::vector<int> values(1000, 1);
  machine.run("add", AddParams{values.data(), 2, 1000}, {8, 1, 1}, {128, 1, 1});
  for (int value : values) EXPECT_EQ(value, 3);
}

TEST(Grid, EmptyGridsDoNothing) {
  Machine machine;
  uint64_t blocks = 0;
  machine.run("count", CountParams{&blocks, nullptr}, {0, 1, 1});
  EXPECT_EQ(blocks, 0u);
}

TEST(Grid, LargeParametersArrive) {
  struct Large {
    OutParams out;
    char more[4000];
  };
  Machine machine;
  int64_t sum[2] = {};
  machine.run("shared", Large{{sum, 0}, {}});
  EXPECT_EQ(sum[0], 10);
}

TEST(SharedMemory, StaticAndDynamicPartsAreApart) {
  Machine machine;
  for (uint32_t bytes : {0u, 4u, 400u, 196000u}) {
    int64_t out[2] = {0, -1};
    machine.run("shared", OutParams{out, 0}, {1, 1, 1}, {1, 1, 1}, bytes);
    int64_t count = bytes / 4;
    EXPECT_EQ(out[0], 10 + count * 100 + count * (count - 1) / 2);
    EXPECT_EQ(out[1], 0) << "begins with a page";
  }
}

}  // namespace
}  // namespace musashim::backend::test
