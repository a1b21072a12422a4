#include "cpu/devrt/unit_ready.h"

#include <algorithm>

#include "cpu/devrt/unit_lanes.h"

namespace musashim::devrt {

namespace {

// Calls `look` with the places of each group of threads. Behind the last one they are those of threads that
// have ended.
template <typename Look>
void forEachGroup(const MusaUnit& unit, Look look) {
  for (uint32_t i = 0; i < unit.threads; i += kGroup) look(unit.pc + i, unit.threads - i);
}

struct Presence {
  bool allOfUnit = true, allLiving = true;
};

Presence presenceAt(const MusaUnit& unit, uint32_t region) {
  Presence result;
  forEachGroup(unit, [&](const uint16_t* places, uint32_t threads) {
    const uint32_t here = lanesEqual(places, static_cast<uint16_t>(region));
    const uint32_t ended = lanesEqual(places, uint16_t{MUSA_PC_EXITED});
    result.allOfUnit &= here == (threads < kGroup ? (1u << threads) - 1 : ~0u);
    result.allLiving &= (here | ended) == ~0u;
  });
  return result;
}

}  // namespace

// Places of those who wait or have ended are above all regions.
std::optional<uint32_t> lowestReady(const MusaUnit& unit, uint32_t from) {
  auto lowest = uint16_t{UINT16_MAX};
  forEachGroup(unit, [&](const uint16_t* places, uint32_t) {
    lowest = std::min(lowest, leastFrom(places, static_cast<uint16_t>(from)));
  });
  const uint32_t region = from + lowest;
  return region < MUSA_PC_EXITED ? std::optional(region) : std::nullopt;
}

std::optional<Ready> nextReady(const MusaUnit& unit) {
  for (uint32_t from = 0;;) {
    const std::optional<uint32_t> region = lowestReady(unit, from);
    if (!region) return std::nullopt;
    const Presence presence = presenceAt(unit, *region);
    const bool waits = (unit.program->regions[*region].flags & MUSA_REGION_CONVERGED) != 0;
    if (!waits || presence.allLiving) return Ready{*region, presence.allOfUnit};
    from = *region + 1;
  }
}

bool allHaveEnded(const MusaUnit& unit) {
  bool result = true;
  forEachGroup(unit, [&](const uint16_t* places, uint32_t) {
    result &= lanesEqual(places, uint16_t{MUSA_PC_EXITED}) == ~0u;
  });
  return result;
}

}  // namespace musashim::devrt
