// Ranks that post several collectives before they leave the first of them.
#include "mccl/calls/upcoming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>
#include <vector>

#include "../engine/clique_calls.h"
#include "mccl/calls/bursts.h"

namespace musashim::mccl {
namespace {

struct SizeOf : testing::TestWithParam<size_t> {};
// Done by the last to come, and shared by those who are there.
INSTANTIATE_TEST_SUITE_P(Sizes, SizeOf, testing::Values(7, 60001));

// Each doubles what the one before has left.
TEST_P(SizeOf, CollectivesPostedAheadAreDoneInTheirOrder) {
  Clique clique(2);
  std::vector<float> first(GetParam(), 1.0f), second(GetParam(), 1.0f);
  uint64_t done = 0;
  for (int window = 0; window < 3; ++window) {
    for (uint64_t i = 0; i < kSlots; ++i) clique.arrive(0, done + i, allReduce(first, first));
    EXPECT_FALSE(clique.complete(0, done, Clock::now()));
    for (uint64_t i = 0; i < kSlots; ++i) clique.arrive(1, done + i, allReduce(second, second));
    for (uint64_t i = 0; i < kSlots; ++i, ++done) {
      ASSERT_TRUE(clique.complete(1, done, Clock::now()));
      ASSERT_TRUE(clique.complete(0, done, Clock::now()));
    }
    for (const float value : first) ASSERT_EQ(value, std::ldexp(1.0f, static_cast<int>(done)));
    EXPECT_EQ(first, second);
  }
}

TEST_P(SizeOf, RanksMayBeAheadByDifferentNumbers) {
  constexpr int kRanks = 5;
  constexpr uint64_t kCollectives = 300;
  Clique clique(kRanks);
  std::atomic<int> wrong{0};
  onRanks(kRanks, [&](int rank) {
    std::mt19937 random(static_cast<unsigned>(rank));
    std::vector<std::vector<float>> send(kSlots, std::vector<float>(GetParam())), recv = send;
    uint64_t posted = 0;
    for (uint64_t sequence = 0; sequence < kCollectives; ++sequence) {
      const uint64_t upTo = std::min(kCollectives, sequence + 1 + random() % kSlots);
      for (; posted < upTo; ++posted) {
        std::vector<float>& values = send[posted % kSlots];
        std::fill(values.begin(), values.end(), static_cast<float>(rank + posted));
        clique.arrive(rank, posted, allReduce(values, recv[posted % kSlots]));
      }
      EXPECT_TRUE(clique.complete(rank, sequence));
      const auto expected = static_cast<float>(kRanks * (kRanks - 1) / 2 + kRanks * sequence);
      for (const float value : recv[sequence % kSlots]) wrong += value != expected;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(clique.error(), mcclSuccess);
}

// Numbers collectives as a rank does, and stops with `limit`.
struct Poster {
  uint64_t next = 0, limit = 100;
  std::vector<const CollectiveTask*> tasks;
  bool operator()(const CollectiveTask& task, uint64_t& number) {
    if (next >= limit) return false;
    number = next++;
    tasks.push_back(&task);
    return true;
  }
};

TEST(Upcoming, IsPostedInTurnUpToTheFirstGap) {
  Upcoming upcoming;
  std::vector<CollectiveTask> first(2), second(1), third(2);
  upcoming.add(1, first);
  upcoming.add(2, second);
  upcoming.add(4, third);
  Poster poster;
  poster.next = 10;
  upcoming.postFrom(1, poster);
  EXPECT_EQ(poster.tasks, (std::vector<const CollectiveTask*>{&first[0], &first[1], &second[0]}));
  EXPECT_EQ(upcoming.take(1).first, 10u);
  const Upcoming::Posted behind = upcoming.take(2);
  EXPECT_EQ(behind.first, 12u);
  EXPECT_EQ(behind.count, 1u);
  EXPECT_EQ(upcoming.take(4).count, 0u);
}

TEST(Upcoming, GoesOnWhereItHadToStop) {
  Upcoming upcoming;
  std::vector<CollectiveTask> tasks(4);
  upcoming.add(1, tasks);
  Poster poster;
  poster.limit = 3;
  upcoming.postFrom(1, poster);
  poster.limit = 100;
  upcoming.postFrom(1, poster);
  EXPECT_EQ(poster.tasks.size(), 4u);
  const Upcoming::Posted posted = upcoming.take(1);
  EXPECT_EQ(posted.first, 0u);
  EXPECT_EQ(posted.count, 4u);
}

TEST(Upcoming, WhatHasBegunIsNotAddedAnyMore) {
  Upcoming upcoming;
  std::vector<CollectiveTask> tasks(1);
  (void)upcoming.take(3);
  upcoming.add(3, tasks);
  upcoming.close();
  upcoming.add(4, tasks);
  Poster poster;
  for (const uint64_t turn : {3, 4}) upcoming.postFrom(turn, poster);
  EXPECT_TRUE(poster.tasks.empty());
}

TEST(Upcoming, CallsJoinTheLastBatchUntilItBegins) {
  Upcoming upcoming;
  const std::vector<CollectiveTask> calls(2);
  std::vector<CollectiveTask> first(1), second(1);
  EXPECT_FALSE(upcoming.join(1, calls)) << "there is none";
  upcoming.add(1, first);
  EXPECT_FALSE(upcoming.join(3, calls)) << "other work stands between";
  EXPECT_TRUE(upcoming.join(2, calls));
  EXPECT_TRUE(upcoming.join(3, calls));
  EXPECT_EQ(first.size(), 5u);
  upcoming.add(4, second);
  EXPECT_TRUE(upcoming.join(5, calls));
  EXPECT_EQ(upcoming.take(1).calls, 3u);
  EXPECT_EQ(upcoming.take(4).calls, 2u);
  EXPECT_FALSE(upcoming.join(6, calls)) << "it has begun";
  EXPECT_EQ(first.size() + second.size(), 8u);
}

TEST(Upcoming, WhatJoinsABatchIsPostedBehindIt) {
  Upcoming upcoming;
  const std::vector<CollectiveTask> call(1);
  std::vector<CollectiveTask> first(1), second(1);
  upcoming.add(1, first);
  Poster poster;
  upcoming.postFrom(1, poster);
  EXPECT_TRUE(upcoming.join(2, call)) << "what there is of it has been posted";
  upcoming.add(3, second);
  upcoming.postFrom(1, poster);
  EXPECT_EQ(poster.next, 3u);
  EXPECT_EQ(poster.tasks.back(), second.data());
  const Upcoming::Posted posted = upcoming.take(1);
  EXPECT_EQ(posted.first, 0u);
  EXPECT_EQ(posted.count, 2u);
}

TEST(Upcoming, ABatchHoldsSoManyCallsAndNoMore) {
  Upcoming upcoming;
  const std::vector<CollectiveTask> call(1);
  std::vector<CollectiveTask> first(1);
  upcoming.add(1, first);
  for (uint64_t i = 1; i < Upcoming::kMostCalls; ++i) EXPECT_TRUE(upcoming.join(1 + i, call));
  EXPECT_FALSE(upcoming.join(1 + Upcoming::kMostCalls, call));
  upcoming.close();
}

int queuedOf(Bursts& bursts, uint64_t& call, int calls, bool waitsForEach) {
  int queued = 0;
  bool anyUnfinished = false;
  for (int i = 0; i < calls; ++i) {
    const bool isQueued = bursts.queues(call++, anyUnfinished);
    queued += isQueued;
    anyUnfinished = isQueued && !waitsForEach;
  }
  return queued;
}

TEST(Bursts, LongOnesAreQueuedAndCallsThatAreWaitedForAreNot) {
  Bursts bursts;
  uint64_t call = 0;
  EXPECT_LT(queuedOf(bursts, call, 10000, true), 20);
  EXPECT_GT(queuedOf(bursts, call, 20000, false), 10000) << "found out at last";
  EXPECT_GE(queuedOf(bursts, call, 1000, false), 999) << "the next one at once";
  for (int burst = 0; burst < 20; ++burst) (void)queuedOf(bursts, call, 50, false);
  int queued = 0;
  for (int burst = 0; burst < 20; ++burst) queued += queuedOf(bursts, call, 50, false);
  EXPECT_LT(queued, 200) << "short ones are not worth it";
}

}  // namespace
}  // namespace musashim::mccl
