// Ranks that are plain threads, and what they call on a Clique.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "mccl/engine/clique.h"

namespace musashim::mccl {

inline void onRanks(int ranks, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(body, rank);
  for (std::thread& thread : threads) thread.join();
}

inline CollectiveTask allReduce(const std::vector<float>& send, std::vector<float>& recv) {
  CollectiveTask task;
  task.send = send.data();
  task.recv = recv.data();
  task.count = send.size();
  task.type = mcclFloat32;
  return task;
}

inline void runCollective(Clique& clique, int rank, uint64_t sequence, const CollectiveTask& task) {
  clique.arrive(rank, sequence, task);
  EXPECT_TRUE(clique.complete(rank, sequence));
}

inline void runTransfers(Clique& clique, int rank, std::span<const TransferTask> tasks) {
  EXPECT_TRUE(Transfers(clique, rank, tasks).run());
}

}  // namespace musashim::mccl
