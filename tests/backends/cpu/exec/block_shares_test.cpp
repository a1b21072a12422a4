// The blocks of a grid, as threads take them.
#include "cpu/exec/block_shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>
#include <vector>

namespace musashim::backend::cpu {
namespace {

constexpr BlockShares::Length kAnyLength;

std::vector<uint64_t> firstsOf(BlockShares& shares, unsigned share, const BlockShares::Length& length) {
  std::vector<uint64_t> firsts;
  while (const auto stretch = shares.take(share, length)) firsts.push_back(stretch.first);
  return firsts;
}

TEST(BlockShares, GiveBlocksInOrderUnlessTheyAreSplit) {
  BlockShares shares(100, 4);
  EXPECT_EQ(shares.takeNext(7).count, 7u);
  const std::vector<uint64_t> firsts = firstsOf(shares, shares.join(3), kAnyLength);
  EXPECT_EQ(firsts.front(), 7u);
  EXPECT_TRUE(std::is_sorted(firsts.begin(), firsts.end()));
  EXPECT_GE(firsts.size(), 16u) << "the last stretches leave nothing to others";
  EXPECT_EQ(shares.left(), 0u);
  EXPECT_EQ(shares.taken(), 100u);
  EXPECT_FALSE(shares.takeNext(1));
}

TEST(BlockShares, BeginWithTheProcessorsShare) {
  ShareHomes homes;
  BlockShares shares(1003, 4);
  shares.split(homes);
  unsigned share = shares.join(2);
  EXPECT_EQ(shares.take(share, {1, 1}).first, 1003u / 4 * 2 + 1);  // three blocks more than four even shares
}

// Whoever comes first: two threads on processors that are many more.
TEST(BlockShares, BeginWithWhatTheProcessorHadLast) {
  ShareHomes homes;
  const auto joined = [&](std::vector<unsigned> processors) {
    BlockShares shares(100, 2);
    shares.split(homes);
    std::vector<unsigned> numbers;
    for (const unsigned processor : processors) numbers.push_back(shares.join(processor));
    return numbers;
  };
  const std::vector<unsigned> first = joined({9, 7});
  EXPECT_NE(first[0], first[1]);
  EXPECT_EQ(joined({9, 7}), first);
  EXPECT_EQ(joined({7, 9}), (std::vector<unsigned>{first[1], first[0]}));
  EXPECT_EQ(joined({9, 7}), first);
}

// A thread that was moved takes what it had, and not another's.
TEST(BlockShares, BeginWithWhatTheThreadHadLast) {
  ShareHomes homes;
  for (const unsigned processor : {2u, 17u, 17u, 30u}) {
    BlockShares shares(100, 4);
    shares.split(homes);
    EXPECT_EQ(shares.join(processor), 2u) << processor;
  }
}

TEST(BlockShares, GiveWhoComesLaterWhatNobodyHasBegun) {
  ShareHomes homes;
  BlockShares shares(400, 4);
  shares.split(homes);
  std::vector<uint64_t> firsts;
  for (const unsigned processor : {3u, 3u, 3u, 3u}) {
    unsigned share = shares.join(processor);
    firsts.push_back(shares.take(share, {1, 1}).first);
  }
  EXPECT_EQ(firsts, (std::vector<uint64_t>{300, 0, 100, 200}));
  unsigned fifth = shares.join(3);
  EXPECT_EQ(shares.take(fifth, {1, 1}).count, 1u);
}

// Then what is far away.
TEST(BlockShares, TakeFromThoseNearTheSameCacheFirst) {
  ShareHomes homes({0, 0, 2, 2});
  BlockShares shares(40, 4);
  shares.split(homes);
  unsigned share = shares.join(3), near = 2, far = 0;
  ASSERT_TRUE(shares.take(near, {1, 1}));  // so it has less than the others
  std::vector<uint64_t> firsts;
  while (const auto stretch = shares.take(share, {10, 10})) firsts.push_back(stretch.first);
  EXPECT_EQ(firsts, (std::vector<uint64_t>{30, 21, 0, 10}));
  EXPECT_FALSE(shares.take(far, {1, 1}));
}

TEST(BlockShares, LetOneThreadTakeAll) {
  ShareHomes homes;
  BlockShares shares(1000, 3);
  shares.split(homes);
  std::vector<bool> seen(1000);
  unsigned share = shares.join(1);
  while (const auto stretch = shares.take(share, {1, 50})) {
    ASSERT_LE(stretch.count, 50u);
    for (uint64_t i = 0; i < stretch.count; ++i) {
      ASSERT_FALSE(seen[stretch.first + i]);
      seen[stretch.first + i] = true;
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0);
}

TEST(BlockShares, GiveEachBlockToOneOfManyThreads) {
  ShareHomes homes;
  constexpr uint64_t kBlocks = 100'003;
  constexpr unsigned kThreads = 8;
  for (const bool split : {false, true}) {
    BlockShares shares(kBlocks, 3);
    if (split) shares.split(homes);
    std::vector<std::atomic<int>> times(kBlocks);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        unsigned share = shares.join(t);
        while (const auto stretch = shares.take(share, {1, 11})) {
          for (uint64_t i = 0; i < stretch.count; ++i) ++times[stretch.first + i];
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::count(times.begin(), times.end(), 1), static_cast<long>(kBlocks));
    EXPECT_EQ(shares.taken(), kBlocks);
  }
}

TEST(BlockShares, GiveNoneOnceTheyAreStopped) {
  ShareHomes homes;
  for (const bool split : {false, true}) {
    BlockShares shares(uint64_t{1} << 63, 2);
    if (split) shares.split(homes);
    unsigned share = shares.join(0);
    EXPECT_TRUE(shares.take(share, {1, 1000}));
    EXPECT_FALSE(shares.isStopped());
    shares.stop();
    EXPECT_FALSE(shares.take(share, {1, 1000}));
    EXPECT_EQ(shares.left(), 0u);
    EXPECT_TRUE(shares.isStopped());
  }
}

}  // namespace
}  // namespace musashim::backend::cpu
