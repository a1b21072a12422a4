// What a child of the fuzzer is doing, in memory that its parent sees.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace musashim::fuzz {

struct Progress {
  static constexpr size_t kRecent = 32;
  static constexpr size_t kMaxCalls = 2048;

  std::atomic<uint64_t> calls;            // begun
  std::atomic<uint16_t> recent[kRecent];  // numbers of the last ones, by calls % kRecent
  std::atomic<bool> ended;
  std::atomic<bool> succeeded[kMaxCalls];  // entries that returned success, in any child
};

// In a child: `calls` calls from `seed`. Does not return.
[[noreturn]] void runChild(uint64_t seed, uint64_t calls, Progress& progress);

}  // namespace musashim::fuzz
