// Where threads wait for each other: a short spin, then sleep.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace musashim::mccl {

inline void cpuRelax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

class WaitPoint {
 public:
  // Returns when `ready()` is true. `ready` reads atomics that are set before notify(),
  // and may be called with the lock held: it must not wait or notify.
  template <class Ready>
  void wait(Ready&& ready) {
    for (int i = 0; i < kSpins; ++i) {
      if (ready()) return;
      cpuRelax();
    }
    // More ranks than cores is usual: let the others run. A sleep costs microseconds; a
    // yield may cost the rest of the time slice, which is milliseconds.
    std::unique_lock lock(mutex_);
    sleepers_.fetch_add(1, std::memory_order_acq_rel);
    while (!ready()) condition_.wait(lock);
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
  }

  // Call after the change that a waiter looks for.
  void notify() {
    // A read-modify-write on both sides: either the sleeper is seen here, or it sees the change.
    if (sleepers_.fetch_add(0, std::memory_order_acq_rel) == 0) return;
    // The lock keeps a sleeper from missing this between its test and its wait.
    {
      std::lock_guard lock(mutex_);
    }
    condition_.notify_all();
  }

 private:
  static constexpr int kSpins = 100;

  std::mutex mutex_;
  std::condition_variable condition_;
  std::atomic<int> sleepers_{0};
};

}  // namespace musashim::mccl
