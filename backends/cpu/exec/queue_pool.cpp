#include "cpu/exec/queue_pool.h"

namespace musashim::backend::cpu {

QueuePool& QueuePool::instance() {
  static QueuePool* const pool = new QueuePool;
  return *pool;
}

std::shared_ptr<Queue> QueuePool::take(CpuDevice& device, int priority) {
  std::lock_guard lock(mutex_);
  if (unused_.empty()) {
    unused_.push_back(&queues_.emplace_back(queues_.size()));
  }
  CpuQueue* queue = unused_.back();
  unused_.pop_back();
  queue->open(device, priority);
  return {queue, [](CpuQueue* dropped) { dropped->handleDropped(); }};
}

void QueuePool::putBack(CpuQueue& queue) {
  std::lock_guard lock(mutex_);
  if (queue.retire()) unused_.push_back(&queue);
}

std::vector<CpuQueue*> QueuePool::queuesOf(const CpuDevice& device) {
  std::lock_guard lock(mutex_);
  std::vector<CpuQueue*> found;
  for (CpuQueue& queue : queues_) {
    if (queue.belongsTo(device)) found.push_back(&queue);
  }
  return found;
}

}  // namespace musashim::backend::cpu
