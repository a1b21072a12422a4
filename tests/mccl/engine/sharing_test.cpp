// Pieces of a job that threads share.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "mccl/engine/chunk_share.h"
#include "mccl/engine/helpers.h"

namespace musashim::mccl {
namespace {

// What a thread gets of a share, as the numbers of pieces left.
std::vector<size_t> takeFrom(ChunkShare& share, uint32_t job, bool isOwner, size_t most = SIZE_MAX) {
  std::vector<size_t> found;
  const auto note = [&](size_t left) { found.push_back(left); };
  (void)share.take(job, isOwner, note, [&] { return found.size() < most; });
  return found;
}

TEST(ChunkShare, GivesEachPieceOnce) {
  ChunkShare share;
  share.open(1, 4);
  EXPECT_EQ(takeFrom(share, 1, true, 1), std::vector<size_t>{4});
  EXPECT_TRUE(share.hasPieces());
  EXPECT_EQ(takeFrom(share, 1, true), (std::vector<size_t>{3, 2, 1}));
  EXPECT_FALSE(share.hasPieces());
  EXPECT_TRUE(takeFrom(share, 1, true).empty());
}

TEST(ChunkShare, OthersLeaveTheLastPieceToAnOwnerWhoHasCome) {
  ChunkShare share;
  share.open(1, 3);
  EXPECT_EQ(takeFrom(share, 1, true, 1), std::vector<size_t>{3});
  EXPECT_EQ(takeFrom(share, 1, false), std::vector<size_t>{2});
  EXPECT_EQ(takeFrom(share, 1, true), std::vector<size_t>{1});
}

TEST(ChunkShare, OthersTakeAllOfAnOwnerWhoHasNotCome) {
  ChunkShare share;
  share.open(1, 2);
  EXPECT_EQ(takeFrom(share, 1, true), (std::vector<size_t>{2, 1}));
  share.open(2, 2);  // the owner was there for the last job only
  EXPECT_EQ(takeFrom(share, 2, false), (std::vector<size_t>{2, 1}));
}

TEST(ChunkShare, WhoComesLateGetsNothingOfTheNextJob) {
  ChunkShare share;
  share.open(7, 2);
  EXPECT_TRUE(takeFrom(share, 6, false).empty());
  EXPECT_TRUE(takeFrom(share, 6, true).empty());
  EXPECT_EQ(takeFrom(share, 7, false), (std::vector<size_t>{2, 1}));
}

// Nobody opens it: who claims first does. Numbers of jobs come to their end and begin again.
TEST(ChunkShare, IsOpenedByWhoClaims) {
  constexpr auto kAlways = [] { return true; };
  ChunkShare share;
  std::vector<size_t> found;
  const auto note = [&](size_t left) { found.push_back(left); };
  EXPECT_EQ(share.take(1, false, note, [&] { return found.empty(); }, 3), 1u);
  EXPECT_EQ(share.take(1, true, note, kAlways, 3), 2u);
  EXPECT_EQ(found, (std::vector<size_t>{3, 2, 1}));
  EXPECT_EQ(share.take(1, true, note, kAlways, 3), 0u);
  EXPECT_EQ(share.take(UINT32_MAX, false, note, kAlways, 3), 0u) << "an earlier job";
  ChunkShare last;
  last.open(UINT32_MAX, 0);
  EXPECT_EQ(last.take(1, false, note, kAlways, 2), 2u);
  EXPECT_EQ(last.take(UINT32_MAX, true, note, kAlways, 2), 0u);
}

// Jobs one after the other as fast as they go, so that helpers come late as well.
TEST(Helpers, EachPieceOfEachJobIsDoneOnce) {
  for (size_t job = 0; job < 300'000; ++job) {
    const size_t pieces = 1 + job % 7;
    std::vector<std::atomic<int>> done(pieces);
    Helpers::run(pieces, Helpers::Wanted::kAlways, [&](size_t index, Order) { ++done[index]; });
    for (size_t i = 0; i < pieces; ++i) ASSERT_EQ(done[i].load(), 1) << "piece " << i << " of job " << job;
  }
}

TEST(Helpers, HelpersThatSleepAreWoken) {
  if (Helpers::most() < 2) GTEST_SKIP() << "there is one processor";
  const auto runsElsewhere = [] {
    std::atomic<int> arrived{0};
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    Helpers::run(2, Helpers::Wanted::kAlways, [&](size_t, Order) {
      ++arrived;
      while (arrived.load() < 2 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    });
    return arrived.load() == 2 && std::chrono::steady_clock::now() < until;
  };
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(runsElsewhere()) << i;
    std::this_thread::sleep_for(std::chrono::milliseconds(i % 4));  // long enough to fall asleep, or not
  }
}

}  // namespace
}  // namespace musashim::mccl
