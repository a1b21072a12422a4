// A lock for sections of a few dozen instructions: spins a little, then sleeps.
//
// Nothing here or elsewhere in this folder yields the processor while it waits: recent
// kernels take sched_yield() for giving up the rest of the time slice, so with more
// threads than processors one yield costs milliseconds where a sleep costs microseconds.
#pragma once

#include <immintrin.h>

#include <atomic>
#include <cstdint>

#include "cpu/exec/futex.h"

namespace musashim::backend::cpu {

inline void cpuPause() { _mm_pause(); }

class SpinLock {
 public:
  void lock() {
    if (try_lock()) [[likely]]
      return;
    lockContended();
  }
  bool try_lock() {
    uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire);
  }
  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) [[unlikely]]
      futexWake(state_, 1);
  }

 private:
  enum : uint32_t { kFree, kHeld, kAwaited };  // awaited: held, and someone may sleep for it

  // The holder may have lost its processor: do not spin against it for long.
  void lockContended() {
    for (int spins = 0; spins < 64; ++spins) {
      if (state_.load(std::memory_order_relaxed) == kFree && try_lock()) return;
      cpuPause();
    }
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree) futexWait(state_, kAwaited);
  }

  std::atomic<uint32_t> state_{kFree};
};

}  // namespace musashim::backend::cpu
