// Ranks as plain threads meet in a Clique: results, mismatches, aborts, transfers.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>
#include <thread>

#include "clique_calls.h"
#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

using namespace std::chrono_literals;

struct CliqueOf : testing::TestWithParam<int> {};

TEST_P(CliqueOf, ManyAllReducesInSequence) {
  const int ranks = GetParam();
  Clique clique(ranks);
  std::atomic<int> wrong{0};
  onRanks(ranks, [&](int rank) {
    // Small and large work in turn.
    const size_t sizes[] = {1, 70000, 3, 100000, 16384, 40001};
    for (uint64_t sequence = 0; sequence < 60; ++sequence) {
      const size_t count = sizes[sequence % 6];
      std::vector<float> send(count, static_cast<float>(rank + sequence)), recv(count);
      runCollective(clique, rank, sequence, allReduce(send, recv));
      const float expected = static_cast<float>(ranks * (ranks - 1) / 2 + ranks * static_cast<int>(sequence));
      for (float value : recv) wrong += value != expected;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(clique.error(), mcclSuccess);
}

TEST_P(CliqueOf, LateRanksFindTheirWorkDone) {
  const int ranks = GetParam();
  Clique clique(ranks);
  std::atomic<int> wrong{0};
  onRanks(ranks, [&](int rank) {
    for (uint64_t sequence = 0; sequence < 4; ++sequence) {
      std::this_thread::sleep_for(1ms * ((rank * 7 + sequence * 3) % 5));
      std::vector<float> buffer(200000, 1.0f);
      runCollective(clique, rank, sequence, allReduce(buffer, buffer));  // in place
      for (float value : buffer) wrong += value != static_cast<float>(ranks);
    }
  });
  EXPECT_EQ(wrong, 0);
}

// Of small work each rank has a part, where all of them have a processor.
TEST_P(CliqueOf, SmallWorkOfAllSizes) {
  const int ranks = GetParam();
  Clique clique(ranks);
  std::atomic<int> wrong{0};
  onRanks(ranks, [&](int rank) {
    uint64_t sequence = 0;
    for (size_t count : {1, 2, 255, 256, 257, 511, 513, 1000, 1023, 2049, 4095, 4096, 4097}) {
      std::vector<float> send(count), recv(count), inPlace(count);
      for (size_t i = 0; i < count; ++i) send[i] = inPlace[i] = static_cast<float>(i * ranks + rank);
      runCollective(clique, rank, sequence++, allReduce(send, recv));
      runCollective(clique, rank, sequence++, allReduce(inPlace, inPlace));
      for (size_t i = 0; i < count; ++i) {
        const auto expected = static_cast<float>(i * ranks * ranks + ranks * (ranks - 1) / 2);
        wrong += recv[i] != expected || inPlace[i] != expected;
      }
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(clique.error(), mcclSuccess);
}

TEST_P(CliqueOf, SmallWorkOfWhoeverSleepsIsDoneByOthers) {
  const int ranks = GetParam();
  const size_t count = 3000;
  Clique clique(ranks);
  std::vector<std::vector<float>> a(ranks, std::vector<float>(count, 1)), b(ranks, std::vector<float>(count));
  for (int rank = 0; rank < ranks; ++rank) {  // to and fro
    for (uint64_t sequence = 0; sequence < 3; ++sequence)
      clique.arrive(rank, sequence,
                    sequence % 2 == 0 ? allReduce(a[rank], b[rank]) : allReduce(b[rank], a[rank]));
  }
  for (uint64_t sequence = 0; sequence < 3; ++sequence)
    EXPECT_TRUE(clique.complete(ranks - 1, sequence, Clock::now() + 10s));
  for (int rank = 0; rank < ranks; ++rank) {
    EXPECT_EQ(a[rank], std::vector<float>(count, static_cast<float>(ranks * ranks))) << "rank " << rank;
    EXPECT_EQ(b[rank], std::vector<float>(count, static_cast<float>(ranks * ranks * ranks)))
        << "rank " << rank;
    b[rank].assign(count, 0);
  }
  for (int rank = 0; rank < ranks - 1; ++rank) {
    for (uint64_t sequence = 0; sequence < 3; ++sequence)
      EXPECT_TRUE(clique.complete(rank, sequence, Clock::now() + 10s));
    EXPECT_EQ(b[rank], std::vector<float>(count)) << "done a second time by rank " << rank;
  }
}

TEST_P(CliqueOf, RingOfTransfers) {
  const int ranks = GetParam();
  Clique clique(ranks);
  std::atomic<int> wrong{0};
  onRanks(ranks, [&](int rank) {
    for (size_t count : {size_t{0}, size_t{1}, size_t{777777}, size_t{5}}) {
      std::vector<int> send(count, rank + 1), recv(count, -1);
      const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
      const TransferTask tasks[] = {{true, send.data(), count, mcclInt32, next},
                                    {false, recv.data(), count, mcclInt32, previous}};
      runTransfers(clique, rank, tasks);
      for (int value : recv) wrong += value != previous + 1;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(clique.error(), mcclSuccess);
}

INSTANTIATE_TEST_SUITE_P(Ranks, CliqueOf, testing::Values(1, 2, 3, 4, 7, 8));

TEST(Clique, TransfersOfAPairMatchInOrder) {
  Clique clique(2);
  std::vector<int> received(3);
  onRanks(2, [&](int rank) {
    int values[] = {10, 20, 30};
    std::vector<TransferTask> tasks;
    for (int i = 0; i < 3; ++i) {
      tasks.push_back({rank == 0, rank == 0 ? &values[i] : &received[i], 1, mcclInt32, 1 - rank});
    }
    runTransfers(clique, rank, tasks);
  });
  EXPECT_EQ(received, (std::vector<int>{10, 20, 30}));
}

TEST(Clique, ReceivesDoNotWaitForEachOther) {
  // Rank 0 lists its receive from 1 first, but 2 comes first and needs the answer of nobody.
  Clique clique(3);
  int fromOne = 0, fromTwo = 0;
  std::atomic<bool> twoIsDone{false};
  onRanks(3, [&](int rank) {
    int value = rank * 11;
    if (rank == 0) {
      const TransferTask tasks[] = {{false, &fromOne, 1, mcclInt32, 1}, {false, &fromTwo, 1, mcclInt32, 2}};
      runTransfers(clique, 0, tasks);
    } else {
      while (rank == 1 && !twoIsDone) std::this_thread::yield();
      const TransferTask task{true, &value, 1, mcclInt32, 0};
      runTransfers(clique, rank, {&task, 1});
      if (rank == 2) twoIsDone = true;
    }
  });
  EXPECT_EQ(fromOne, 11);
  EXPECT_EQ(fromTwo, 22);
}

TEST(Clique, MismatchedCountsAreReportedAndFreeAll) {
  Clique clique(3);
  onRanks(3, [&](int rank) {
    std::vector<float> send(rank == 1 ? 5 : 4, 1.0f), recv(5);
    runCollective(clique, rank, 0, allReduce(send, recv));
  });
  EXPECT_EQ(clique.error(), mcclInvalidUsage);
  EXPECT_NE(lastError().find("rank 0 called AllReduce(count 4, float, sum)"), std::string::npos)
      << lastError();
  EXPECT_NE(lastError().find("rank 1 called AllReduce(count 5, float, sum)"), std::string::npos)
      << lastError();
}

// Each would do it in another way.
TEST(Clique, SmallWorkAgainstLargeIsReported) {
  for (const int withMuch : {0, 1}) {
    Clique clique(2);
    onRanks(2, [&](int rank) {
      std::vector<float> data(rank == withMuch ? 100000 : 4);
      clique.arrive(rank, 0, allReduce(data, data));
      EXPECT_TRUE(clique.complete(rank, 0, Clock::now() + 10s));
    });
    EXPECT_EQ(clique.error(), mcclInvalidUsage);
  }
}

TEST(Clique, MismatchedTransferSizesAreReported) {
  Clique clique(2);
  onRanks(2, [&](int rank) {
    int buffer[4] = {};
    const TransferTask task{rank == 0, buffer, rank == 0 ? size_t{4} : size_t{3}, mcclInt32, 1 - rank};
    runTransfers(clique, rank, {&task, 1});
  });
  EXPECT_EQ(clique.error(), mcclInvalidUsage);
  EXPECT_NE(lastError().find("count 4"), std::string::npos) << lastError();
}

TEST(Clique, CollectiveAgainstTransferIsReported) {
  Clique clique(2);
  onRanks(2, [&](int rank) {
    std::vector<float> send(4, 1.0f), recv(4);
    if (rank == 0) return runCollective(clique, 0, 0, allReduce(send, recv));
    const TransferTask task{false, recv.data(), 4, mcclFloat32, 0};
    runTransfers(clique, 1, {&task, 1});
  });
  EXPECT_EQ(clique.error(), mcclInvalidUsage);
  EXPECT_NE(
      clique.errorText().find("Recv(count 4, float) of rank 1 from rank 0, while rank 0 called AllReduce"),
      std::string::npos)
      << clique.errorText();
}

TEST(Clique, WhatAGroupPassesOnArrivesFirst) {
  // 0 -> 1 -> 2 through the same buffer, all in one group per rank.
  Clique clique(3);
  int place[3] = {42, 0, 0};
  onRanks(3, [&](int rank) {
    std::vector<TransferTask> tasks;
    if (rank > 0) tasks.push_back({false, &place[rank], 1, mcclInt32, rank - 1});
    if (rank < 2) tasks.push_back({true, &place[rank], 1, mcclInt32, rank + 1});
    if (rank == 0) std::this_thread::sleep_for(20ms);  // the others have posted what they can
    runTransfers(clique, rank, tasks);
  });
  EXPECT_EQ(place[2], 42);
}

TEST(Clique, MoreMessagesOfAPairThanPlaces) {
  Clique clique(2);
  std::vector<int> got(50, -1);
  onRanks(2, [&](int rank) {
    std::vector<int> values(50);
    std::iota(values.begin(), values.end(), 0);
    std::vector<TransferTask> tasks;
    for (int i = 0; i < 50; ++i) {
      tasks.push_back({rank == 0, rank == 0 ? &values[i] : &got[i], 1, mcclInt32, 1 - rank});
    }
    runTransfers(clique, rank, tasks);
  });
  for (int i = 0; i < 50; ++i) EXPECT_EQ(got[i], i);
}

TEST(Clique, AllRanksByOneThread) {
  Clique clique(3);
  std::vector<float> send[3], recv[3];
  std::vector<CollectiveTask> tasks;
  for (int rank = 0; rank < 3; ++rank) {
    send[rank].assign(300000, static_cast<float>(rank + 1));
    recv[rank].resize(300000);
    tasks.push_back(allReduce(send[rank], recv[rank]));
  }
  const std::vector<const CollectiveTask*> all = {&tasks[0], &tasks[1], &tasks[2]};
  clique.runTogether(all);
  for (const auto& result : recv) {
    for (float value : result) ASSERT_EQ(value, 6.0f);
  }
  tasks[1].count = 7;
  clique.runTogether(all);
  EXPECT_EQ(clique.error(), mcclInvalidUsage);
}

// The order in which an algorithm adds shows in the last bit.
TEST(Clique, AbortFreesAWaitingCollective) {
  Clique clique(2);
  std::vector<float> send(8, 1.0f), recv(8);
  std::thread waiting([&] { runCollective(clique, 0, 0, allReduce(send, recv)); });
  std::this_thread::sleep_for(20ms);
  clique.abort("aborted by the test");
  waiting.join();
  EXPECT_EQ(clique.error(), mcclRemoteError);
}

TEST(Clique, AbortFreesAWaitingTransfer) {
  Clique clique(2);
  int value = 0;
  const TransferTask task{false, &value, 1, mcclInt32, 1};
  std::thread waiting([&] { runTransfers(clique, 0, {&task, 1}); });
  std::this_thread::sleep_for(20ms);
  clique.abort("aborted by the test");
  waiting.join();
}

TEST(Clique, AfterAbortNobodyTouchesTheBuffers) {
  // The buffers are freed as soon as abort() returns: AddressSanitizer sees who still works.
  for (int round = 0; round < 30; ++round) {
    Clique clique(2);
    auto buffers = std::make_unique<std::vector<std::vector<float>>>(2, std::vector<float>(1 << 20, 1.0f));
    std::thread ranks[2];
    for (int rank = 0; rank < 2; ++rank) {
      float* data = (*buffers)[rank].data();
      ranks[rank] = std::thread([&clique, rank, data] {
        CollectiveTask task;
        task.send = task.recv = data;
        task.count = 1 << 20;
        task.type = mcclFloat32;
        runCollective(clique, rank, 0, task);
      });
    }
    std::this_thread::sleep_for(std::chrono::microseconds(40 * round));
    clique.abort("aborted by the test");
    buffers.reset();
    for (std::thread& rank : ranks) rank.join();
  }
}

TEST(Clique, StoppedCliqueDoesNotWait) {
  Clique clique(2);
  clique.fail(mcclSystemError, "test");
  std::vector<float> send(8, 1.0f), recv(8);
  runCollective(clique, 0, 0, allReduce(send, recv));
  clique.abort("aborted by the test");
  EXPECT_EQ(clique.error(), mcclSystemError) << "the first error stays";
}

}  // namespace
}  // namespace musashim::mccl
