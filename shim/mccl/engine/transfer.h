// Sends and receives of one clique, and how they find each other.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mccl/engine/task.h"

namespace musashim::mccl {

// One message. Both sides may copy pieces of it once it is matched.
class Transfer {
 public:
  // True when both sides have posted; what they gave is visible then.
  bool matched() const { return matched_.load(std::memory_order_acquire); }
  bool finished() const { return finished_.load(std::memory_order_acquire); }

  // Takes and copies one piece; false when none is left to take.
  bool copyPiece();

  // Whether there may be a piece to take.
  bool hasPieces() const { return next_.load(std::memory_order_relaxed) < pieces_; }

 private:
  friend class TransferBoard;

  const std::byte* source_ = nullptr;
  std::byte* target_ = nullptr;
  size_t bytes_ = 0;
  size_t pieces_ = 0;
  std::atomic<bool> matched_{false};
  std::atomic<bool> finished_{false};
  std::atomic<size_t> next_{0};
  std::atomic<size_t> done_{0};
};

class TransferBoard {
 public:
  explicit TransferBoard(int ranks);

  // Posts `task` of `rank`. When its counterpart waits, they match, in order of posting.
  // A counterpart of another size leaves `mismatch` naming both.
  std::shared_ptr<Transfer> post(int rank, const TransferTask& task, std::string& mismatch);

 private:
  struct Waiting {
    TransferTask task;
    std::shared_ptr<Transfer> transfer;
  };
  struct Channel {  // of an ordered pair of ranks; all that waits is of one side
    std::deque<Waiting> waiting;
  };

  const int ranks_;
  std::mutex mutex_;
  std::vector<Channel> channels_;
};

}  // namespace musashim::mccl
