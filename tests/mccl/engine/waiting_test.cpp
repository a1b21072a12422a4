// How ranks wait: for a limited time, with another thread that goes on; asleep, until the last message.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "clique_calls.h"
#include "mccl/calls/patience.h"
#include "mccl/calls/running_lock.h"

namespace musashim::mccl {
namespace {

using namespace std::chrono_literals;

TEST(Waiting, AnotherThreadGoesOnWithACollectiveThatTookTooLong) {
  Clique clique(2);
  std::vector<float> send(100000, 1.0f), recv[2] = {std::vector<float>(100000), std::vector<float>(100000)};
  for (uint64_t sequence = 0; sequence < 3; ++sequence) {
    clique.arrive(0, sequence, allReduce(send, recv[0]));
    EXPECT_FALSE(clique.complete(0, sequence, Clock::now() + 1ms)) << "rank 1 has not come";
    std::thread later([&] { EXPECT_TRUE(clique.complete(0, sequence)); });
    runCollective(clique, 1, sequence, allReduce(send, recv[1]));
    later.join();
    for (const std::vector<float>& one : recv) EXPECT_EQ(one, std::vector<float>(100000, 2.0f));
  }
}

TEST(Waiting, AnotherThreadGoesOnWithTransfersThatTookTooLong) {
  Clique clique(3);
  int values[] = {10, 20, 30}, received[] = {0, 0, 0};
  const auto tasksOf = [&](int rank) {
    const int next = (rank + 1) % 3, previous = (rank + 2) % 3;
    return std::vector<TransferTask>{{true, &values[rank], 1, mcclInt32, next},
                                     {false, &received[rank], 1, mcclInt32, previous}};
  };
  const std::vector<TransferTask> first = tasksOf(0), second = tasksOf(1), third = tasksOf(2);
  Transfers waiting(clique, 0, first);
  EXPECT_FALSE(waiting.run(Clock::now() + 1ms));
  std::thread one([&] { runTransfers(clique, 1, second); });
  EXPECT_FALSE(waiting.run(Clock::now() + 10ms)) << "rank 2 has not come";
  std::thread later([&] { EXPECT_TRUE(waiting.run()); });
  runTransfers(clique, 2, third);
  one.join();
  later.join();
  EXPECT_EQ(received[0], 30);
  EXPECT_EQ(received[1], 10);
  EXPECT_EQ(received[2], 20);
}

TEST(Waiting, WhoWaitsForSeveralMessagesIsWokenForTheLast) {
  // All to all of more ranks than processors, again and again: every rank sleeps, and none may be forgotten.
  constexpr int kRanks = 6;
  Clique clique(kRanks);
  std::atomic<int> wrong{0};
  onRanks(kRanks, [&](int rank) {
    for (int round = 0; round < 300; ++round) {
      int send[kRanks], recv[kRanks];
      std::vector<TransferTask> tasks;
      for (int peer = 0; peer < kRanks; ++peer) {
        send[peer] = 100 * rank + peer + round;
        recv[peer] = -1;
        tasks.push_back({true, &send[peer], 1, mcclInt32, peer});
        tasks.push_back({false, &recv[peer], 1, mcclInt32, peer});
      }
      runTransfers(clique, rank, tasks);
      for (int peer = 0; peer < kRanks; ++peer) wrong += recv[peer] != 100 * peer + rank + round;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Patience, FewerCallsWaitTheOftenerNobodyCame) {
  Patience patience;
  const auto waitingOf = [&](uint64_t calls) {
    uint64_t waiting = 0;
    for (uint64_t call = 0; call < calls; ++call) waiting += patience.waits(call);
    return waiting;
  };
  EXPECT_EQ(waitingOf(64), 64u);
  for (const uint64_t waiting : {32u, 16u, 8u, 4u, 2u, 1u, 1u}) {
    patience.note(false);
    EXPECT_EQ(waitingOf(64), waiting);
    EXPECT_EQ(patience.isTrying(), waiting == 1);
  }
  patience.note(true);
  EXPECT_EQ(waitingOf(64), 64u);
}

TEST(Patience, RanksThatHaveLostEachOtherTryAgainAtTheSameCall) {
  Patience much, little;
  much.note(false);
  for (int time = 0; time < 10; ++time) little.note(false);
  for (uint64_t call = 0; call < 1000; ++call) {
    if (little.waits(call)) EXPECT_TRUE(much.waits(call)) << call;
  }
}

TEST(Patience, IsStuckUntilMoreIsDone) {
  Patience patience;
  EXPECT_FALSE(patience.isStuck(0));
  patience.noteStuck(5);
  EXPECT_TRUE(patience.isStuck(5));
  EXPECT_FALSE(patience.isStuck(6));
}

TEST(Patience, LastsLongerWhereRanksShareProcessors) {
  EXPECT_LT(Patience::limit(2, 2), std::chrono::microseconds(200));
  EXPECT_GT(Patience::limit(32, 2), 10 * Patience::limit(32, 32));
}

TEST(RunningLock, IsReleasedByAnotherThread) {
  RunningLock lock;
  int value = 0;
  for (int round = 0; round < 200; ++round) {
    lock.lock();
    std::thread holder([&] {
      ++value;
      lock.unlock();
    });
    lock.lock();
    EXPECT_EQ(value, round + 1);
    EXPECT_FALSE(lock.try_lock());
    lock.unlock();
    holder.join();
  }
}

}  // namespace
}  // namespace musashim::mccl
