// The ranks of one communicator, inside this process: where their streams meet.
//
// A collective runs in three steps, on the threads that run the ranks' streams:
//   arrive: each rank posts its task; the last one checks that all agree and cuts the work;
//   work:   whoever is there takes pieces, of all ranks' buffers, until none is left;
//   done:   all leave when the last piece is done.
// So a rank that wakes late finds its work done. Small work is done by the last to arrive.
//
// Transfers (send/recv) match per ordered pair of ranks in the order of posting; both
// sides copy.
//
// Failure and abort end every wait for good; the results of unfinished work are undefined.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mccl/engine/collective_plan.h"
#include "mccl/engine/task.h"
#include "mccl/engine/transfer.h"
#include "mccl/engine/wait_point.h"

namespace musashim::mccl {

class Clique {
 public:
  explicit Clique(int ranks);

  int ranks() const { return ranks_; }

  // Blocks until the collective is done for `rank`, or the clique has stopped. `sequence`
  // numbers the rank's collectives 0, 1, 2, ...; one thread per rank at a time.
  void runCollective(int rank, uint64_t sequence, const CollectiveTask& task);

  // Blocks until all are done. They progress independently of each other.
  void runTransfers(int rank, std::span<const TransferTask> tasks);

  // Stops the clique with an error that all ranks see; the first one stays.
  void fail(mcclResult_t result, const std::string& message);

  // Stops the clique on behalf of one rank: the others see mcclRemoteError. On return no
  // thread touches any rank's buffers, and none will.
  void abort();

  bool stopped() const { return stopped_.load(std::memory_order_acquire); }
  mcclResult_t error() const;

  WaitPoint& waitPoint() { return waitPoint_; }

 private:
  // A collective in flight. Two take turns: a rank can be at most one collective ahead.
  struct Slot {
    std::vector<CollectiveTask> posts;
    CollectivePlan plan;
    alignas(64) std::atomic<int> arrived{0};
    std::atomic<uint64_t> ready{0};     // sequence + 1 once the plan stands
    std::atomic<uint64_t> finished{0};  // sequence + 1 once all is done
    alignas(64) std::atomic<size_t> next{0};
    std::atomic<size_t> done{0};
  };

  bool begin(Slot& slot, uint64_t sequence);
  void help(Slot& slot, uint64_t sequence);
  void help(Transfer& transfer);

  // Counts the threads that touch buffers, so that abort() can wait for them.
  class WorkScope;

  const int ranks_;
  Slot slots_[2];
  TransferBoard board_;
  WaitPoint waitPoint_;
  std::atomic<bool> stopped_{false};
  std::atomic<int> workers_{0};
  std::atomic<mcclResult_t> error_{mcclSuccess};
};

}  // namespace musashim::mccl
