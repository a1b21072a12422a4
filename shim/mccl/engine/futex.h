// Sleeping on a word, of this process's memory or of memory that processes share.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>

namespace musashim::mccl {

// Sleeps while `word` holds `expected`, at most `time`; may wake early.
inline void futexWait(std::atomic<uint32_t>& word, uint32_t expected, bool shared,
                      std::chrono::nanoseconds time) {
  constexpr auto kSecond = 1'000'000'000L;
  const timespec limit{time.count() / kSecond, time.count() % kSecond};
  syscall(SYS_futex, &word, shared ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE, expected, &limit, nullptr, 0);
}

inline void futexWake(std::atomic<uint32_t>& word, bool shared, int most) {
  syscall(SYS_futex, &word, shared ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE, most, nullptr, nullptr, 0);
}

inline void futexWakeAll(std::atomic<uint32_t>& word, bool shared) { futexWake(word, shared, INT_MAX); }

}  // namespace musashim::mccl
