// Hazards between the threads of a block in shared memory.
//
// Two accesses of different threads are ordered by a barrier between them, in one warp
// by a chain of __syncwarp, or by atomics that release and acquire a word, as barrier
// objects do. Barriers count epochs; the others join vector clocks, which are as wide
// as a warp until the first thread of the block releases a word or comes to a numbered barrier, and are not
// kept until the first two threads meet. A word of shared memory remembers its last write and two of its
// reads: enough to find a race, not always every thread that takes part in it. Compiled kernels keep the
// words themselves while nothing races (musa_check_inline.h).
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
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

  // `image`: an address of the image whose sites are told of.
  void beginBlock(uint32_t threads, uint32_t warpSize, size_t sharedBytes, const void* image);
  void barrier() { ++epoch_; }
  // Every one of `threads`, all of one warp, has come to one __syncwarp.
  void syncWarp(std::span<const uint16_t> threads);

  // Threads of any warps have come to a barrier of theirs.
  void meet(std::span<const uint16_t> threads);

  // A thread publishes what it knows at `address`, or learns what others have published.
  void release(uintptr_t address, uint16_t thread);
  void acquire(uintptr_t address, uint16_t thread);

  // `word`: index of four bytes of shared memory; `bytes`: which of them.
  Hazard read(size_t word, uint8_t bytes, uint16_t thread, const MusaCheckSite* site);
  Hazard write(size_t word, uint8_t bytes, uint16_t thread, const MusaCheckSite* site, bool atomic);

  // For MusaCheckState.
  uint64_t* words() { return words_.data(); }
  uint64_t pitch() const { return pitch_; }
  const uint32_t* clocks() const { return own_.data(); }
  const uint8_t* met() const { return &tracked_; }
  uint32_t epoch() const { return epoch_; }

 private:
  Access unpack(const MusaCheckAccess& packed) const;
  bool isOrdered(const Access& earlier, uint16_t thread) const;
  MusaCheckAccess at(unsigned sort, size_t word) const {
    return {words_[sort * pitch_ + word], words_[(MUSA_CHECK_SORTS + sort) * pitch_ + word]};
  }
  bool conflicts(const MusaCheckAccess& earlier, uint8_t bytes, uint16_t thread, bool atomic) const;
  void remember(unsigned sort, size_t word, uint8_t bytes, uint16_t thread, const MusaCheckSite* site,
                bool atomic);
  void makeRoom(size_t words);
  void track();
  void widen();
  void advance(uint16_t thread);  // its clock
  // What a thread knows of the others: of its warp's, or of the block's.
  std::span<uint32_t> clocksOf(uint16_t thread) { return {&clocks_[size_t{thread} * width_], width_}; }
  uint32_t clock(uint16_t thread, uint16_t of) const {
    return clocks_[size_t{thread} * width_ + of % width_];
  }

  uint32_t epoch_ = 0;  // over all blocks that used this shadow
  uint32_t threads_ = 0, warpSize_ = 32;
  uint32_t width_ = 32;  // clocks per thread: warpSize_, or threads_ once widened
  uintptr_t image_ = 0;
  uint8_t tracked_ = 0;  // clocks_ are kept: threads have met other than at barriers
  std::vector<uint64_t> words_;
  size_t room_ = 0, pitch_ = 0;   // words of shared memory; from one sort to the next
  std::vector<uint32_t> own_;     // each thread's clock of itself
  std::vector<uint32_t> clocks_;  // threads_ x width_
  std::unordered_map<uintptr_t, std::vector<uint32_t>> published_;  // by address
};

}  // namespace musashim::devrt::checks
