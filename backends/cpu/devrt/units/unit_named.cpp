// Numbered barriers of blocks that run warp by warp: threads that wait for a phase of one are ready when it
// is over.
#include "cpu/devrt/barriers/named_barriers.h"
#include "cpu/devrt/units/unit_steps.h"

namespace musashim::devrt {

namespace {

bool isOver(const MusaUnit& unit, const MusaRegion& region, uint32_t thread) {
  return namedBarriers().isOver(static_cast<uint32_t>(readOperand(unit, region.argument, thread)),
                                static_cast<uint32_t>(readOperand(unit, region.width, thread)));
}

void giveResult(const MusaUnit& unit, const MusaRegion& region, uint32_t thread) {
  writeResult(unit, region.result, thread,
              namedBarriers().resultOf(static_cast<uint32_t>(readOperand(unit, region.argument, thread)),
                                       static_cast<uint32_t>(readOperand(unit, region.width, thread))));
}

// A unit whose threads wait together. They part where their barriers differ and only some are over.
bool releaseTogether(MusaUnit& unit) {
  const auto place = static_cast<uint16_t>(unit.resume);
  const MusaRegion& region = regionAt(unit, place);
  if (region.op != MUSA_OP_NAMED_WAIT) return false;
  uint32_t over = 0;
  for (uint32_t i = 0; i < unit.threads; ++i) over += isOver(unit, region, i);
  if (over == 0) return false;
  if (over < unit.threads) {
    __musa_place_threads(&unit, place | uint32_t{MUSA_PC_WAITS});
    unit.resume = MUSA_RESUME_PARTED;
    return releaseNamed(unit);
  }
  for (uint32_t i = 0; i < unit.threads; ++i) giveResult(unit, region, i);
  return true;
}

// Those of the block that have ended.
NamedBarriers::Threads endedOf(const MusaUnit* units, uint32_t count) {
  NamedBarriers::Threads ended{};
  for (uint32_t i = 0; i < count; ++i) {
    const MusaUnit& unit = units[i];
    const bool together = unit.resume != MUSA_RESUME_PARTED;
    for (uint32_t lane = 0; lane < unit.threads; ++lane) {
      const bool hasEnded = unit.state == MUSA_UNIT_DONE || (!together && hasExited(unit.pc[lane]));
      const uint32_t thread = unit.first + lane;
      ended[thread / kGroup] |= uint32_t{hasEnded} << thread % kGroup;
    }
  }
  return ended;
}

}  // namespace

bool waitsByNumber(const MusaUnitProgram& program) {
  for (uint32_t i = 0; i < program.region_count; ++i) {
    if (program.regions[i].op == MUSA_OP_NAMED_WAIT) return true;
  }
  return false;
}

bool releaseNamed(MusaUnit& unit) {
  bool any = false;
  for (uint32_t i = 0; i < unit.threads; ++i) {
    if (!isWaiting(unit.pc[i])) continue;
    const MusaRegion& region = regionAt(unit, unit.pc[i]);
    if (region.op != MUSA_OP_NAMED_WAIT || !isOver(unit, region, i)) continue;
    giveResult(unit, region, i);
    goOn(unit, i);
    any = true;
  }
  return any;
}

bool releaseNamed(MusaUnit* units, uint32_t count, bool ended) {
  if (ended && !namedBarriers().countEnded(endedOf(units, count))) return false;
  bool any = false;
  for (uint32_t i = 0; i < count; ++i) {
    MusaUnit& unit = units[i];
    if (unit.state != MUSA_UNIT_AT_RELEASE) continue;
    if (!(unit.resume == MUSA_RESUME_PARTED ? releaseNamed(unit) : releaseTogether(unit))) continue;
    unit.state = MUSA_UNIT_YIELDS;
    any = true;
  }
  return any;
}

}  // namespace musashim::devrt
