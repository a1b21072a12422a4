// Collectives of a rank that stand on its stream directly behind the work before, with nothing between: as
// soon as that has been posted, the others may know of them too. So a rank that shares its processor with
// others posts many when it has its turn, and whoever comes last does them one after the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>

#include "mccl/engine/task.h"

namespace musashim::mccl {

class Upcoming {
 public:
  // Of the collectives of a batch, in their order: how many are posted, and the number of the first.
  struct Posted {
    size_t count = 0;
    uint64_t first = 0;

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

  // A batch has been queued, with this turn, directly behind the one before. `tasks` stay until take().
  void add(uint64_t turn, std::span<const CollectiveTask> tasks);

  // The batch runs now, and posts the rest of its collectives itself.
  Posted take(uint64_t turn);

  // While the batch with this turn runs, and all its collectives are posted: posts what follows, as
  // Posted::postRest() does.
  template <class Post>
  void postBehind(uint64_t turn, Post&& post) {
    if (size_.load(std::memory_order_relaxed) == 0) return;
    std::lock_guard lock(mutex_);
    for (Batch& batch : batches_) {
      if (batch.turn != ++turn || !batch.posted.postRest(batch.tasks, post)) return;
    }
  }

 private:
  struct Batch {
    uint64_t turn;
    std::span<const CollectiveTask> tasks;
    Posted posted;
  };

  std::atomic<size_t> size_{0};  // of batches_
  std::mutex mutex_;             // of what follows
  std::deque<Batch> batches_;
  bool closed_ = false;
  uint64_t begun_ = 0;  // the highest turn taken + 1
};

}  // namespace musashim::mccl
