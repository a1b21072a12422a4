// Memory for the units of one block; used again for the next.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <vector>

#include "abi/musa_unit_abi.h"
#include "cpu/devrt/units/polling_rounds.h"

namespace musashim::devrt {

inline uint32_t roundUp(uint32_t value, uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// For which blocks the warps are laid out.
struct WarpLayout {
  const MusaUnitProgram* program = nullptr;
  uint32_t laneBytes = 0, scalarBytes = 0;  // another image's program may come to the same address
  MusaDim3 dim{0, 0, 0};
  uint32_t warpSize = 0;

  friend bool operator==(const WarpLayout& a, const WarpLayout& b) {
    return a.program == b.program && a.laneBytes == b.laneBytes && a.scalarBytes == b.scalarBytes &&
           a.dim.x == b.dim.x && a.dim.y == b.dim.y && a.dim.z == b.dim.z && a.warpSize == b.warpSize;
  }
};

// How long threads wait, where all are to enter together, for those that poll. What is polled for may be up
// to other blocks or the host, or to the threads that wait: since Volta, each thread makes progress by
// itself. Each time that these have gone on, the others are waited for half as long.
class Patience {
 public:
  // Threads of the unit wait for others of it that poll. True when some have done so for long enough.
  bool isOver(const MusaUnit& unit);
  void nobodyWaits(const MusaUnit& unit) {
    if (first_ == &unit) begun_.reset();
  }

 private:
  using Clock = std::chrono::steady_clock;
  const MusaUnitProgram* program_ = nullptr;
  Clock::duration longest_{};
  const MusaUnit* first_ = nullptr;  // to wait
  std::optional<Clock::time_point> begun_;
};

struct UnitScratch {
  std::vector<MusaUnit> units;
  std::vector<uint16_t> places;
  WarpLayout layout;
  uint32_t unitsInRow = 0;  // of that layout: so many, the first ones, are full, of threads side by side
  const MusaBlockContext* block = nullptr;  // of all units; null: of none
  bool rowsHaveParted = false;              // units in a row may be marked as others
  Patience patience;
  bool mayPoll = false;  // lanes of the program do
  PollingRounds polling;
  bool waitsByNumber = false;       // the program has numbered barriers
  std::vector<MusaDim3> threadIdx;  // of the block size that tabulate() was told last

  UnitScratch() = default;
  ~UnitScratch();
  UnitScratch(const UnitScratch&) = delete;
  UnitScratch& operator=(const UnitScratch&) = delete;

  char* framesOf(size_t bytes);  // on a cache line; what was in it before is lost
  bool holds(uintptr_t address) const { return address - reinterpret_cast<uintptr_t>(frames_) < frameBytes_; }
  void tabulate(const MusaDim3& dim, uint32_t threads);

 private:
  MusaDim3 tabulated_{0, 0, 0};
  char* frames_ = nullptr;
  size_t frameBytes_ = 0;
};

}  // namespace musashim::devrt
