// Hazards between the threads of a block in shared memory.
//
// Two accesses of different threads are ordered by a barrier between them, or, in one
// warp, by a chain of __syncwarp. Barriers count epochs; __syncwarp joins vector
// clocks. A word of shared memory remembers its last write and two of its reads:
// enough to find a race, not always every thread that takes part in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abi/musa_check_abi.h"

namespace musashim::devrt::checks {

class RaceShadow {
 public:
  struct Access {
    const MusaCheckSite* site = nullptr;
    uint32_t epoch = 0;  // 0: none
    uint32_t clock = 0;
    uint16_t thread = 0;
    uint8_t bytes = 0;  // of the word, as bits
    bool atomic = false;
  };
  // What an access may be in a race with, and by what hazard.
  struct Hazard {
    const char* kind = nullptr;  // null: none
    Access earlier;
  };

  void beginBlock(uint32_t threads, uint32_t warpSize, size_t sharedBytes);
  void barrier() { ++epoch_; }
  // Every one of `threads`, all of one warp, has come to one __syncwarp.
  void syncWarp(std::span<const uint16_t> threads);

  // `word`: index of four bytes of shared memory; `bytes`: which of them.
  Hazard read(size_t word, uint8_t bytes, uint16_t thread, const MusaCheckSite* site);
  Hazard write(size_t word, uint8_t bytes, uint16_t thread, const MusaCheckSite* site, bool atomic);

 private:
  struct Word {
    Access write, reads[2];
  };
  bool isOrdered(const Access& earlier, uint16_t thread) const;
  bool conflicts(const Access& earlier, uint8_t bytes, uint16_t thread, bool atomic) const;
  Access access(uint8_t bytes, uint16_t thread, const MusaCheckSite* site, bool atomic) const;
  static void remember(Access& place, const Access& now);
  uint32_t* clocksOf(uint16_t thread) { return &clocks_[size_t{thread} * warpSize_]; }
  const uint32_t* clocksOf(uint16_t thread) const { return &clocks_[size_t{thread} * warpSize_]; }

  uint32_t epoch_ = 0;  // over all blocks that used this shadow
  uint32_t warpSize_ = 32;
  std::vector<Word> words_;
  std::vector<uint32_t> clocks_;  // thread x lane of its warp: what it knows of the lane
};

}  // namespace musashim::devrt::checks
