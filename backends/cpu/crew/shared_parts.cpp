// Shares out work of the libraries.
#include <algorithm>
#include <atomic>

#include "cpu/crew/crew.h"
#include "cpu/exec/scheduler.h"
#include "cpu/memory/protection_keys.h"
#include "interface/sharing_out.h"

namespace musashim::backend::cpu {

class SharedParts final : public ParallelJob {
 public:
  SharedParts(size_t parts, void (*part)(void*, size_t), void* data)
      : parts_(parts), part_(part), data_(data) {}

  void workAsOwner() {
    while (runNext()) {
    }
  }
  void work() override {
    const ThreadAccess access(ProtectionKeys::all());
    while (!Crew::shouldMove(*this) && runNext()) {
    }
  }
  bool hasMore() const override { return taken() < parts_; }
  uint64_t taken() const override { return next_.load(std::memory_order_relaxed); }
  bool partsMayWait() const override { return false; }

 private:
  bool runNext() {
    const size_t index = next_.fetch_add(1, std::memory_order_relaxed);
    if (index >= parts_) return false;
    part_(data_, index);
    return true;
  }

  const size_t parts_;
  void (*const part_)(void*, size_t);
  void* const data_;
  alignas(64) std::atomic<size_t> next_{0};
};

}  // namespace musashim::backend::cpu

namespace musashim::backend {

size_t computingThreads() { return cpu::Scheduler::instance().processors(); }

void shareOut(size_t parts, void (*part)(void* data, size_t index), void* data) {
  cpu::Scheduler& scheduler = cpu::Scheduler::instance();
  cpu::SharedParts job(parts, part, data);
  scheduler.publish(job, static_cast<unsigned>(std::min<size_t>(parts, scheduler.processors())) - 1);
  job.workAsOwner();
  scheduler.withdraw(job);
}

}  // namespace musashim::backend
