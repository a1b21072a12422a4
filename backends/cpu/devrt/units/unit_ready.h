// Which threads of a unit run next, when they are not all at the same place.
#pragma once

#include <optional>

#include "abi/musa_unit_abi.h"

namespace musashim::devrt {

// The lowest region from `from` on that threads are ready to run.
std::optional<uint32_t> lowestReady(const MusaUnit& unit, uint32_t from);

// Threads that are behind run first, so that all meet again. A region that all enter
// together waits for those who are still on other ways.
std::optional<uint32_t> nextReady(const MusaUnit& unit);

// All of the unit's threads are ready to run this region.
bool isAtRegion(const MusaUnit& unit, uint32_t region);

bool allHaveEnded(const MusaUnit& unit);

}  // namespace musashim::devrt
