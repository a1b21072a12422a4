// Steps of a unit whose threads are not all at the same place (abi/musa_unit_abi.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "abi/musa_unit_abi.h"
#include "cpu/devrt/units/unit_operands.h"

namespace musashim::devrt {

inline bool hasExited(uint16_t place) { return place == MUSA_PC_EXITED; }
inline bool isWaiting(uint16_t place) { return !hasExited(place) && (place & MUSA_PC_WAITS) != 0; }
inline uint32_t regionOf(uint16_t place) { return place & 0x7fffu; }

inline void goOn(MusaUnit& unit, uint32_t thread) {
  unit.pc[thread] &= static_cast<uint16_t>(~MUSA_PC_WAITS);
}

inline const MusaRegion& regionAt(const MusaUnit& unit, uint16_t place) {
  return unit.program->regions[regionOf(place)];
}

// What a barrier's threads brought, and what they take with them.
struct BarrierTally {
  uint32_t threads = 0, holds = 0;
  bool overGrid = false;  // one of them waits for the grid: all do
  void add(const MusaUnit& unit, uint16_t place, uint32_t thread);
  void deliver(const MusaUnit& unit, uint16_t place, uint32_t thread) const;
};

struct CompletedOps {
  bool any = false;
  // The lowest region, of those that threads need not enter together, in which lanes go on.
  std::optional<uint32_t> next;

  // Lanes that waited at `place` do not any more.
  void goesOn(const MusaUnit& unit, uint16_t place) {
    any = true;
    if ((regionAt(unit, place).flags & MUSA_REGION_CONVERGED) == 0)
      next = std::min(next.value_or(UINT32_MAX), regionOf(place));
  }
};

// Lanes at convergence points, when no warp operation can complete: none goes on, those that are behind, or
// all.
enum class Converging : uint8_t { kWait, kBehindGoOn, kAllGoOn };

// Completes every warp operation whose threads have all come.
// `groupsApart`: __syncwarp, too, is about each group of 32 lanes on its own, as where
// only one group of a warp of 128 lanes comes to it.
CompletedOps completeWarpOps(MusaUnit& unit, bool groupsApart, Converging converging);

// --- Numbered barriers: unit_named.cpp ---

bool waitsByNumber(const MusaUnitProgram& program);
// Lets those of a diverged unit go on whose phases are over. False: there are none.
bool releaseNamed(MusaUnit& unit);
// Of a block's units: true when some of them are ready to run by that. `ended`: threads that have ended
// count.
bool releaseNamed(MusaUnit* units, uint32_t count, bool ended);

}  // namespace musashim::devrt
