// All queues of the process, in use or waiting to be used again.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "cpu/exec/queue.h"

namespace musashim::backend::cpu {

class QueuePool {
 public:
  static QueuePool& instance();

  // An empty queue of the device. It goes back when the last handle is gone and what
  // was submitted is complete.
  std::shared_ptr<Queue> take(CpuDevice& device, int priority);
  void putBack(CpuQueue& queue);  // does nothing while it is in use

  std::vector<CpuQueue*> queuesOf(const CpuDevice& device);

 private:
  std::mutex mutex_;
  std::deque<CpuQueue> queues_;
  std::vector<CpuQueue*> unused_;
};

}  // namespace musashim::backend::cpu
