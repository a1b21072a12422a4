// Sleeping on a 32-bit word.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace musashim::backend::cpu {

// Returns when woken, when the word differs from `expected`, or at times for no reason.
inline void futexWait(std::atomic<uint32_t>& word, uint32_t expected) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

inline void futexWaitFor(std::atomic<uint32_t>& word, uint32_t expected, int64_t nanoseconds) {
  timespec timeout{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, &timeout, nullptr, 0);
}

inline void futexWake(std::atomic<uint32_t>& word, int count = INT_MAX) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

// The same on a word that several processes have mapped.
inline void futexWaitForShared(std::atomic<uint32_t>& word, uint32_t expected, int64_t nanoseconds) {
  timespec timeout{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT, expected, &timeout, nullptr, 0);
}

inline void futexWakeShared(std::atomic<uint32_t>& word, int count = INT_MAX) {
  syscall(SYS_futex, &word, FUTEX_WAKE, count, nullptr, nullptr, 0);
}

}  // namespace musashim::backend::cpu
