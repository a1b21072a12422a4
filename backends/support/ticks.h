// A clock for what is timed very often: the processor's own, where it counts at one rate for ever, else the
// system's.
#pragma once

#include <time.h>

#include <cstdint>
#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace musashim::support {

inline int64_t monotonicNanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Whether the time stamp counter runs at one rate in all states of the processor ("invariant TSC").
inline bool counterIsSteady() {
#if defined(__x86_64__)
  static const bool steady = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & 1u << 8) != 0;
  }();
  return steady;
#else
  return false;
#endif
}

inline int64_t ticks() {
#if defined(__x86_64__)
  if (counterIsSteady()) return static_cast<int64_t>(__rdtsc());
#endif
  return monotonicNanoseconds();
}

// Nanoseconds of CLOCK_MONOTONIC for ticks, by what both clocks said at two moments.
class TickScale {
 public:
  TickScale() : ticks_(ticks()), nanoseconds_(monotonicNanoseconds()) {}

  // The second moment.
  void close() {
    const int64_t later = ticks(), time = monotonicNanoseconds();
    if (later > ticks_)
      rate_ = static_cast<double>(time - nanoseconds_) / static_cast<double>(later - ticks_);
  }
  int64_t nanoseconds(int64_t at) const {
    return nanoseconds_ + static_cast<int64_t>(static_cast<double>(at - ticks_) * rate_);
  }

 private:
  int64_t ticks_, nanoseconds_;
  double rate_ = 1;
};

}  // namespace musashim::support
