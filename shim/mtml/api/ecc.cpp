// Memory that corrects errors, where a machine's description gives it.
#include "mtml/api/tell.h"

using namespace musashim::mtml;

namespace {

// Runs `body` with a memory that corrects errors.
template <class Body>
MtmlReturn withEcc(const MtmlMemory* mem, Body&& body) {
  return withLive(objects().memories, mem, [&](const MtmlMemory& one) {
    return one.facts.hasEcc ? body(one.facts) : MTML_ERROR_NOT_SUPPORTED;
  });
}

}  // namespace

extern "C" {

MtmlReturn mtmlMemoryGetEccMode(const MtmlMemory* mem, MtmlEccMode* currentMode, MtmlEccMode* pendingMode) {
  return entry(
      "mtmlMemoryGetEccMode",
      [&] {
        return withEcc(mem, [&](const MUshimDevice&) {
          const MtmlReturn current = give(MTML_MEMORY_ECC_ENABLE, currentMode);
          return current == MTML_SUCCESS ? give(MTML_MEMORY_ECC_ENABLE, pendingMode) : current;
        });
      },
      mem, currentMode, pendingMode);
}

MtmlReturn mtmlMemoryGetEccErrorCounter(const MtmlMemory* mem, MtmlMemoryErrorType errorType,
                                        MtmlEccCounterType counterType, MtmlMemoryLocation location,
                                        unsigned long long* counter) {
  return entry(
      "mtmlMemoryGetEccErrorCounter",
      [&] {
        return withEcc(mem, [&](const MUshimDevice& facts) {
          const bool isKnown = static_cast<unsigned int>(errorType) < MTML_MEMORY_ERROR_TYPE_COUNT &&
                               static_cast<unsigned int>(counterType) < MTML_ECC_COUNTER_TYPE_COUNT &&
                               location == MTML_MEMORY_LOCATION_DRAM;
          if (!isKnown) return MTML_ERROR_INVALID_ARGUMENT;
          return give(
              errorType == MTML_MEMORY_ERROR_TYPE_CORRECTED ? facts.eccCorrected : facts.eccUncorrected,
              counter);
        });
      },
      mem, errorType, counterType, location, counter);
}

// ---- Pages that are used no more: an emulated memory has none

MtmlReturn mtmlMemoryGetRetiredPagesCount(const MtmlMemory* mem, MtmlPageRetirementCount* count) {
  return entry(
      "mtmlMemoryGetRetiredPagesCount",
      [&] {
        return withEcc(mem, [&](const MUshimDevice&) { return give(MtmlPageRetirementCount{}, count); });
      },
      mem, count);
}

MtmlReturn mtmlMemoryGetRetiredPages(const MtmlMemory* mem, MtmlPageRetirementCause cause, unsigned int count,
                                     MtmlPageRetirement* pageRetirements) {
  return entry(
      "mtmlMemoryGetRetiredPages",
      [&] {
        return withEcc(mem, [&](const MUshimDevice&) {
          if (static_cast<unsigned int>(cause) >= MTML_PAGE_RETIREMENT_CAUSE_MAX)
            return MTML_ERROR_INVALID_ARGUMENT;
          return count == 0 ? MTML_SUCCESS : MTML_ERROR_NOT_FOUND;
        });
      },
      mem, cause, count, pageRetirements);
}

MtmlReturn mtmlMemoryGetRetiredPagesPendingStatus(const MtmlMemory* mem,
                                                  MtmlRetiredPagesPendingState* isPending) {
  return entry(
      "mtmlMemoryGetRetiredPagesPendingStatus",
      [&] {
        return withEcc(mem, [&](const MUshimDevice&) {
          return give(MTML_RETIRED_PAGES_PENDING_STATE_FALSE, isPending);
        });
      },
      mem, isPending);
}

}  // extern "C"
