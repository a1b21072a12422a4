// MUSASHIM_SCHEDULE: the order in which blocks, warps and threads run, which a correct
// kernel does not depend on.
//
//   forward   linear order (default)
//   reverse   the last ones first
//   seed:N    shuffled; the same seed gives the same order of a block's threads, on
//             whichever host thread the block runs
#pragma once

#include <cstdint>
#include <span>

#include "abi/musa_device_abi.h"

namespace musashim::devrt {

struct Schedule {
  enum class Kind : uint8_t { kForward, kReverse, kSeed };
  Kind kind = Kind::kForward;
  uint64_t seed = 0;

  bool isForward() const { return kind == Kind::kForward; }
};

// False when `text` is none of the above.
bool parseSchedule(const char* text, Schedule& schedule);

// The environment's, read once; a value that is not usable is named on stderr.
const Schedule& processSchedule();

// MUSASHIM_CLEAR_SHARED=1: a block finds zeros in its shared memory, and not what the host thread's last
// block left there. So what a race within a block reads does not depend on which blocks ran where.
bool clearsShared();
void clearShared(const MusaBlockContext& block);

// Place `position` of `count` in the order of blocks: a permutation of [0, count).
uint64_t scheduledBlock(const Schedule& schedule, uint64_t position, uint64_t count);

// The order of a block's threads (count of them in `order`): warps, and lanes in them.
void scheduleThreads(const Schedule& schedule, uint64_t block, uint32_t warpSize, std::span<uint16_t> order);

// Small and good enough to shuffle with (SplitMix64, public domain algorithm).
class Shuffler {
 public:
  explicit Shuffler(uint64_t seed) : state_(seed) {}
  uint64_t next();
  uint64_t below(uint64_t limit) { return next() % limit; }

 private:
  uint64_t state_;
};

}  // namespace musashim::devrt
