// Where threads wait for each other, of one process or of several: a short spin, or turns with those that run
// on the same processor; then sleep.
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

#include "mccl/engine/futex.h"

namespace musashim::mccl {

inline void cpuRelax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Whether `ready()` came true within so many looks.
template <class Ready>
bool spin(Ready&& ready, int looks) {
  for (int i = 0; i < looks; ++i) {
    if (ready()) return true;
    cpuRelax();
  }
  return false;
}

using Clock = std::chrono::steady_clock;
inline constexpr Clock::time_point kForEver = Clock::time_point::max();

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
  WaitPoint(WaitPoint&& other) noexcept : WaitPoint(other.word_, other.shared_, other.spins_) {}

  // Returns when `ready()` is true. `ready` reads atomics that are set before notify().
  template <class Ready>
  void wait(Ready&& ready) {
    (void)wait(ready, [] {}, true, kForEver);
  }

  // As above, until the time is over: then what `ready()` says. Without `maySpin`, whoever is waited for may
  // need this processor: it gets it, with the others that want it, before this thread sleeps.
  template <class Ready>
  bool wait(Ready&& ready, bool maySpin, Clock::time_point until) {
    return wait(ready, [] {}, maySpin, until);
  }

  // As above; calls `idle` about once a second while nothing happens.
  template <class Ready, class Idle>
  bool wait(Ready&& ready, Idle&& idle, bool maySpin, Clock::time_point until) {
    if (maySpin ? spin(ready, spins_) : takeTurns(ready, until)) return true;
    while (true) {
      word_.sleepers.fetch_add(1);
      std::atomic_thread_fence(std::memory_order_seq_cst);  // see notify()
      const uint32_t seen = word_.changes.load();
      const bool done = ready();
      const Clock::duration left = timeLeft(until);
      if (!done && left > Clock::duration::zero()) futexWait(word_.changes, seen, shared_, left);
      word_.sleepers.fetch_sub(1);
      if (done) return true;
      if (until != kForEver && Clock::now() >= until) return ready();
      if (until == kForEver && word_.changes.load() == seen) idle();
    }
  }

  bool hasSleepers() const { return word_.sleepers.load(std::memory_order_relaxed) != 0; }

  // Call after the change that a waiter looks for. With `most`, that many sleepers are woken at least: for a
  // change that all of them need not see.
  void notify(int most = INT_MAX) {
    // Fences on both sides: either the sleeper is seen here, or it sees the change. That costs no line of
    // the cache as long as nobody sleeps.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!hasSleepers()) return;
    word_.changes.fetch_add(1);
    futexWake(word_.changes, shared_, most);
  }

 private:
  // Lets others run again and again. Sleeping and being woken cost several times as much, but only threads
  // that take turns as well give the processor back at once; one that computes keeps it for milliseconds.
  // Where that has happened, the next waits do without: few after the first time, more each time that it
  // happens again when turns are tried.
  template <class Ready>
  bool takeTurns(Ready&& ready, Clock::time_point until) {
    // A turn may be several collectives of many ranks.
    constexpr auto kMost = std::chrono::microseconds(3000);
    constexpr auto kLongTurn = std::chrono::microseconds(1500);
    constexpr int kMostWaitsWithout = 50;
    if (ready()) return true;
    if (waitsWithout_.load(std::memory_order_relaxed) > 0) {
      waitsWithout_.fetch_sub(1, std::memory_order_relaxed);
      return false;
    }
    const Clock::time_point end = std::min(until, Clock::now() + kMost);
    for (Clock::time_point now = Clock::now(); now < end;) {
      (void)sched_yield();
      const Clock::time_point before = std::exchange(now, Clock::now());
      const int pause = pause_.load(std::memory_order_relaxed);
      if (now - before >= kLongTurn) {
        const int longer = std::min(2 * pause + 2, kMostWaitsWithout);
        pause_.store(longer, std::memory_order_relaxed);
        waitsWithout_.store(longer, std::memory_order_relaxed);
        break;
      }
      if (pause != 0) pause_.store(0, std::memory_order_relaxed);
      if (ready()) return true;
    }
    return ready();
  }

  static Clock::duration timeLeft(Clock::time_point until) {
    constexpr Clock::duration kLongestSleep = std::chrono::seconds(1);
    return until == kForEver ? kLongestSleep : std::min(kLongestSleep, until - Clock::now());
  }

  WaitWord& word_;
  const bool shared_;
  const int spins_;
  std::atomic<int> waitsWithout_{0};  // that do not take turns
  std::atomic<int> pause_{0};         // how many they were the last time, if turns have been long since
};

}  // namespace musashim::mccl
