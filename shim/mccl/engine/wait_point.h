// Where threads wait for each other, of one process or of several: a short spin, then sleep.
#pragma once

#include <atomic>
#include <cstdint>

#include "mccl/engine/futex.h"

namespace musashim::mccl {

inline void cpuRelax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// What the waiting sides share; lies in the segment.
struct WaitWord {
  std::atomic<uint32_t> changes{0};
  std::atomic<uint32_t> sleepers{0};  // a killed process may leave it too high: wakes that nobody needs
};

class WaitPoint {
 public:
  // `spins`: looks before the first sleep. More threads than processors is usual, and then
  // spinning takes the time from those that are waited for.
  WaitPoint(WaitWord& word, bool shared, int spins) : word_(word), shared_(shared), spins_(spins) {}

  // Returns when `ready()` is true. `ready` reads atomics that are set before notify().
  template <class Ready>
  void wait(Ready&& ready) {
    wait(ready, [] {});
  }

  // As above, with less patience where whoever is waited for may need this processor.
  template <class Ready>
  void wait(Ready&& ready, bool maySpin) {
    wait(ready, [] {}, maySpin);
  }

  // As above; calls `idle` about once a second while nothing happens.
  template <class Ready, class Idle>
  void wait(Ready&& ready, Idle&& idle, bool maySpin = true) {
    for (int i = 0; maySpin && i < spins_; ++i) {
      if (ready()) return;
      cpuRelax();
    }
    // A yield instead may cost the rest of the time slice, which is milliseconds.
    while (true) {
      word_.sleepers.fetch_add(1);
      const uint32_t seen = word_.changes.load();
      const bool done = ready();
      if (!done) futexWait(word_.changes, seen, shared_, kLongestSleep);
      word_.sleepers.fetch_sub(1);
      if (done) return;
      if (word_.changes.load() == seen) idle();
    }
  }

  // Call after the change that a waiter looks for. With `most`, that many sleepers are woken at least: for a
  // change that all of them need not see.
  void notify(int most = INT_MAX) {
    // A read-modify-write on both sides: either the sleeper is seen here, or it sees the change.
    if (word_.sleepers.fetch_add(0) == 0) return;
    word_.changes.fetch_add(1);
    futexWake(word_.changes, shared_, most);
  }

 private:
  static constexpr int kLongestSleep = 1000;  // ms

  WaitWord& word_;
  const bool shared_;
  const int spins_;
};

}  // namespace musashim::mccl
