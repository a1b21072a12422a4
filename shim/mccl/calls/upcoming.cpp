#include "mccl/calls/upcoming.h"

#include <algorithm>

namespace musashim::mccl {

void Upcoming::close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
}

// It may run, and be gone, before who has queued it comes here.
void Upcoming::add(uint64_t turn, std::vector<CollectiveTask>& tasks) {
  std::lock_guard lock(mutex_);
  if (turn < begun_ || closed_) return;
  batches_.push_back({turn, &tasks, {}});
  size_.store(batches_.size(), std::memory_order_relaxed);
}

bool Upcoming::join(uint64_t turn, std::span<const CollectiveTask> tasks) {
  if (size_.load(std::memory_order_relaxed) == 0) return false;
  std::lock_guard lock(mutex_);
  if (batches_.empty() || closed_) return false;
  Batch& last = batches_.back();
  if (last.turn + last.posted.calls != turn || last.posted.calls == kMostCalls) return false;
  last.tasks->insert(last.tasks->end(), tasks.begin(), tasks.end());
  ++last.posted.calls;
  return true;
}

Upcoming::Posted Upcoming::take(uint64_t turn) {
  std::lock_guard lock(mutex_);
  begun_ = std::max(begun_, turn + 1);
  const auto found = std::ranges::find(batches_, turn, &Batch::turn);
  if (found == batches_.end()) return {};
  const Posted posted = found->posted;
  batches_.erase(found);
  size_.store(batches_.size(), std::memory_order_relaxed);
  return posted;
}

}  // namespace musashim::mccl
