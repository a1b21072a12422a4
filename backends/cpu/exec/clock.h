// The backend's clocks, in nanoseconds: CLOCK_MONOTONIC, and the processors' time that this process got.
#pragma once

#include <time.h>

#include <cstdint>

namespace musashim::backend::cpu {

inline int64_t readClock(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline int64_t monotonicNow() { return readClock(CLOCK_MONOTONIC); }

// A system call, unlike the other.
inline int64_t processTime() { return readClock(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace musashim::backend::cpu
