// A lock for sections of a few dozen instructions.
#pragma once

#include <immintrin.h>
#include <sched.h>

#include <atomic>

namespace musashim::backend::cpu {

inline void cpuPause() { _mm_pause(); }

class SpinLock {
 public:
  void lock() {
    while (locked_.exchange(true, std::memory_order_acquire)) {
      // The holder may have lost its processor: do not spin against it for long.
      for (int spins = 0; locked_.load(std::memory_order_relaxed); ++spins) {
        if (spins < 64) {
          cpuPause();
        } else {
          sched_yield();
        }
      }
    }
  }
  void unlock() { locked_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> locked_{false};
};

}  // namespace musashim::backend::cpu
