// A mutex that another thread than the one that has locked it may unlock: work that one thread has begun may
// be finished by another. (std::binary_semaphore makes a system call for every release.)
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "mccl/engine/futex.h"

namespace musashim::mccl {

class RunningLock {
 public:
  bool try_lock() {
    uint32_t free = kFree;
    return state_.compare_exchange_strong(free, kHeld, std::memory_order_acquire);
  }

  void lock() {
    if (try_lock()) return;
    while (state_.exchange(kHeldAndWanted, std::memory_order_acquire) != kFree) {
      futexWait(state_, kHeldAndWanted, false, std::chrono::seconds(10));
    }
  }

  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kHeldAndWanted) futexWake(state_, false, 1);
  }

 private:
  enum : uint32_t { kFree, kHeld, kHeldAndWanted };
  std::atomic<uint32_t> state_{kFree};
};

}  // namespace musashim::mccl
