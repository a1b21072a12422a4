// How long a kernel's blocks took when it last ran: whether its next grid is worth waking helpers for, and
// how many blocks to run at a stretch, is known then before the first of them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "interface/command.h"

namespace musashim::backend::cpu {

class BlockTimes {
 public:
  // One for the process.
  static BlockTimes& instance();

  // ns a block; 0 if not known. A hint: the next grid's blocks may take longer, or not as long.
  float of(const KernelLaunch& launch) const;
  void learn(const KernelLaunch& launch, float nanoseconds);

 private:
  // Each entry holds the upper half of its key's hash and the time; a newcomer with the same lower half takes
  // its place.
  static constexpr size_t kEntries = 1024;
  std::array<std::atomic<uint64_t>, kEntries> entries_{};
};

}  // namespace musashim::backend::cpu
