#include "cpu/devrt/units/unit_ready.h"

#include <algorithm>

#include "cpu/devrt/units/unit_lanes.h"

namespace musashim::devrt {

namespace {

// Calls `look` with the places of each group of threads. Behind the last one they are those of threads that
// have ended.
template <typename Look>
void forEachGroup(const MusaUnit& unit, Look look) {
  for (uint32_t i = 0; i < unit.threads; i += kGroup) look(unit.pc + i, unit.threads - i);
}

bool allLivingAreAt(const MusaUnit& unit, uint32_t region) {
  bool result = true;
  forEachGroup(unit, [&](const uint16_t* places, uint32_t) {
    const uint32_t here = lanesEqual(places, static_cast<uint16_t>(region));
    result &= (here | lanesEqual(places, uint16_t{MUSA_PC_EXITED})) == ~0u;
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

std::optional<uint32_t> nextReady(const MusaUnit& unit) {
  for (uint32_t from = 0;;) {
    const std::optional<uint32_t> region = lowestReady(unit, from);
    if (!region || (unit.program->regions[*region].flags & MUSA_REGION_CONVERGED) == 0) return region;
    if (allLivingAreAt(unit, *region)) return region;
    from = *region + 1;
  }
}

bool isAtRegion(const MusaUnit& unit, uint32_t region) {
  bool result = true;
  forEachGroup(unit, [&](const uint16_t* places, uint32_t threads) {
    const uint32_t all = threads < kGroup ? (1u << threads) - 1 : ~0u;
    result &= lanesEqual(places, static_cast<uint16_t>(region)) == all;
  });
  return result;
}

bool allHaveEnded(const MusaUnit& unit) {
  bool result = true;
  forEachGroup(unit, [&](const uint16_t* places, uint32_t) {
    result &= lanesEqual(places, uint16_t{MUSA_PC_EXITED}) == ~0u;
  });
  return result;
}

}  // namespace musashim::devrt
