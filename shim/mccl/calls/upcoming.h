// Collectives of a rank that stand on its stream directly behind the work before, with nothing between: as
// soon as that has been posted, the others may know of them too. So a rank that shares its processor with
// others posts many when it has its turn, and whoever comes last does them one after the other. As long as
// such a batch of work has not begun, calls that follow are made part of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

#include "mccl/engine/task.h"

namespace musashim::mccl {

class Upcoming {
 public:
  // Calls in a batch at most: a stream's thread does all of them at one go.
  static constexpr uint64_t kMostCalls = 64;

  // Of the collectives of a batch, in their order: how many are posted, and the number of the first. `calls`:
  // how many calls it holds, each with a turn.
  struct Posted {
    size_t count = 0;
    uint64_t first = 0;
    uint64_t calls = 1;

    // Calls `post(task, number)` for the rest of `tasks`, until it says no: then false. It sets the number
    // that the collective got.
    template <class Post>
    bool postRest(std::span<const CollectiveTask> tasks, Post& post) {
      for (uint64_t number; count < tasks.size(); ++count) {
        if (!post(tasks[count], number)) return false;
        if (count == 0) first = number;
      }
      return true;
    }
  };

  // Launches of captured graphs have no turn: once there are some, nothing is known to stand between.
  void close();

  // A batch has been queued, with this turn, directly behind the one before. `tasks` are its own, and stay
  // until take().
  void add(uint64_t turn, std::vector<CollectiveTask>& tasks);

  // Makes a call with this turn, which nothing stands between, part of the last batch. False when that has
  // begun, or has enough.
  bool join(uint64_t turn, std::span<const CollectiveTask> tasks);

  // The batch runs now, and posts the rest of its collectives itself.
  Posted take(uint64_t turn);

  // While a batch runs, and all its collectives are posted: posts what follows from `turn` on, as
  // Posted::postRest() does.
  template <class Post>
  void postFrom(uint64_t turn, Post&& post) {
    if (size_.load(std::memory_order_relaxed) == 0) return;
    std::lock_guard lock(mutex_);
    for (Batch& batch : batches_) {
      if (batch.turn != turn || !batch.posted.postRest(*batch.tasks, post)) return;
      turn += batch.posted.calls;
    }
  }

 private:
  struct Batch {
    uint64_t turn;
    std::vector<CollectiveTask>* tasks;
    Posted posted;
  };

  std::atomic<size_t> size_{0};  // of batches_
  std::mutex mutex_;             // of what follows
  std::deque<Batch> batches_;
  bool closed_ = false;
  uint64_t begun_ = 0;  // the highest turn taken + 1
};

}  // namespace musashim::mccl
