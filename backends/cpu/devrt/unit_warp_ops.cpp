// Warp operations among threads that went different ways, or that name only some lanes.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "cpu/devrt/unit_steps.h"

namespace musashim::devrt {

namespace {

constexpr uint32_t kGroup = 32;  // lanes that a mask has bits for

bool isShuffle(uint32_t op) { return op >= MUSA_OP_SHFL_IDX && op <= MUSA_OP_SHFL_XOR; }

// Shuffle widths are powers of two up to the warp's; others are undefined: whole warp.
uint32_t shuffleWidth(const MusaUnit& unit, const MusaRegion& region, uint32_t lane) {
  auto width = static_cast<uint32_t>(readOperand(unit, region.width, lane));
  return std::has_single_bit(width) && width <= unit.capacity ? width : unit.capacity;
}

uint32_t shuffleSource(const MusaUnit& unit, const MusaRegion& region, uint32_t lane) {
  uint32_t width = shuffleWidth(unit, region, lane);
  auto argument = static_cast<uint32_t>(readOperand(unit, region.argument, lane));
  uint32_t place = lane & (width - 1);
  switch (region.op) {
    case MUSA_OP_SHFL_IDX:
      return (lane - place) + (argument & (width - 1));
    case MUSA_OP_SHFL_UP:
      return argument <= place ? lane - argument : lane;
    case MUSA_OP_SHFL_DOWN:
      return argument < width - place ? lane + argument : lane;
    default: {
      // Earlier segments may be read, later ones give the caller's own value.
      uint32_t source = lane ^ (argument & (unit.capacity - 1));
      return source > (lane | (width - 1)) ? lane : source;
    }
  }
}

// Lanes of the warp that one operation is about, seen from one of them.
struct Scope {
  uint32_t first = 0, lanes = kGroup;
};

Scope scopeOf(const MusaUnit& unit, const MusaRegion& region, uint32_t lane, bool groupsApart) {
  uint32_t lanes = kGroup;
  if ((region.op == MUSA_OP_SYNCWARP && !groupsApart) || region.op == MUSA_OP_ACTIVEMASK)
    lanes = unit.capacity;
  if (isShuffle(region.op)) {
    lanes = std::max(kGroup, shuffleWidth(unit, region, lane));
    // A source outside the caller's segment needs a scope that holds both.
    if (region.op == MUSA_OP_SHFL_XOR) {
      auto bits = static_cast<uint32_t>(readOperand(unit, region.argument, lane)) & (unit.capacity - 1);
      lanes = std::max(lanes, std::bit_ceil(bits + 1));
    }
  }
  return {lane - lane % lanes, lanes};
}

// One operation in which a lane waits: who takes part, and whether all have come.
class Meeting {
 public:
  Meeting(const MusaUnit& unit, uint32_t lane, bool groupsApart)
      : unit_(unit), place_(unit.pc[lane]), region_(regionAt(unit, place_)) {
    scope_ = scopeOf(unit, region_, lane, groupsApart);
    mask_ = maskOf(lane);
  }

  bool isComplete() {
    if (region_.op == MUSA_OP_ACTIVEMASK) {
      // Those who are here now: the others are elsewhere.
      for (uint32_t lane = scope_.first; lane < scope_.first + scope_.lanes; ++lane) {
        if (lane < unit_.threads && unit_.pc[lane] == place_) join(lane);
      }
      return true;
    }
    for (uint32_t lane = scope_.first; lane < scope_.first + scope_.lanes && lane < unit_.threads; ++lane) {
      if (((mask_ >> (lane % kGroup)) & 1) == 0 || hasExited(unit_.pc[lane])) continue;
      if (!meets(lane)) return false;
      join(lane);
    }
    return count_ > 0;
  }

  // Gives everyone the result and lets them go on.
  void complete(MusaUnit& unit) {
    // All read before anyone's place changes.
    for (uint32_t i = 0; i < count_; ++i) results_[i] = result(lanes_[i]);
    for (uint32_t i = 0; i < count_; ++i) {
      writeResult(unit, regionAt(unit, unit.pc[lanes_[i]]).result, lanes_[i], results_[i]);
    }
    for (uint32_t i = 0; i < count_; ++i) goOn(unit, lanes_[i]);
  }

 private:
  uint32_t maskOf(uint32_t lane) const {
    const MusaRegion& region = regionAt(unit_, unit_.pc[lane]);
    return region.op == MUSA_OP_ACTIVEMASK ? ~0u
                                           : static_cast<uint32_t>(readOperand(unit_, region.mask, lane));
  }

  // The same operation with the same mask, wherever in the source it stands.
  bool meets(uint32_t lane) const {
    uint16_t place = unit_.pc[lane];
    if (!isWaiting(place)) return false;
    return regionAt(unit_, place).op == region_.op && maskOf(lane) == mask_;
  }

  void join(uint32_t lane) {
    lanes_[count_++] = lane;
    present_[lane / kGroup] |= 1u << (lane % kGroup);
  }
  bool isPresent(uint32_t lane) const { return (present_[lane / kGroup] >> (lane % kGroup)) & 1; }

  uint64_t valueOf(uint32_t lane) const {
    return readOperand(unit_, regionAt(unit_, unit_.pc[lane]).value, lane);
  }

  template <typename Test>
  uint32_t lanesWhere(uint32_t lane, Test test) const {
    uint32_t result = 0, base = lane - lane % kGroup;
    for (uint32_t bits = present_[base / kGroup]; bits != 0; bits &= bits - 1) {
      auto other = static_cast<uint32_t>(std::countr_zero(bits));
      if (test(valueOf(base + other))) result |= 1u << other;
    }
    return result;
  }

  uint64_t result(uint32_t lane) const {
    const MusaRegion& region = regionAt(unit_, unit_.pc[lane]);
    const uint32_t here = present_[lane / kGroup];
    const auto holds = [](uint64_t value) { return value != 0; };
    switch (region.op) {
      case MUSA_OP_SYNCWARP:
        return 0;
      case MUSA_OP_ACTIVEMASK:
        return here;
      case MUSA_OP_BALLOT:
        return lanesWhere(lane, holds);
      case MUSA_OP_ALL:
        return lanesWhere(lane, holds) == here;
      case MUSA_OP_ANY:
        return lanesWhere(lane, holds) != 0;
      case MUSA_OP_MATCH_ANY:
      case MUSA_OP_MATCH_ALL: {
        const uint64_t own = valueOf(lane);
        const uint32_t same = lanesWhere(lane, [own](uint64_t value) { return value == own; });
        return region.op == MUSA_OP_MATCH_ANY || same == here ? same : 0;
      }
      default: {
        const uint32_t source = shuffleSource(unit_, region, lane);
        return valueOf(source < unit_.capacity && isPresent(source) ? source : lane);
      }
    }
  }

  const MusaUnit& unit_;
  const uint16_t place_;
  const MusaRegion& region_;
  Scope scope_;
  uint32_t mask_ = 0;
  uint32_t count_ = 0;
  std::array<uint32_t, 4> present_{};
  std::array<uint32_t, 128> lanes_;
  std::array<uint64_t, 128> results_;
};

bool waitsInWarpOp(const MusaUnit& unit, uint32_t lane) {
  uint16_t place = unit.pc[lane];
  if (!isWaiting(place)) return false;
  return musaOpIsWarps(regionAt(unit, place).op) != 0;
}

}  // namespace

uint64_t readOperand(const MusaUnit& unit, const MusaOperand& operand, uint32_t thread) {
  if (operand.slot < 0) return operand.constant;
  uint64_t value = 0;
  const char* array = unit.frame + static_cast<uint64_t>(operand.slot) * unit.capacity;
  std::memcpy(&value, array + uint64_t{thread} * operand.bytes, operand.bytes);
  return value;
}

void writeResult(const MusaUnit& unit, const MusaOperand& result, uint32_t thread, uint64_t value) {
  if (result.slot < 0) return;
  char* array = unit.frame + static_cast<uint64_t>(result.slot) * unit.capacity;
  std::memcpy(array + uint64_t{thread} * result.bytes, &value, result.bytes);
}

bool completeWarpOps(MusaUnit& unit, bool groupsApart) {
  bool any = false;
  for (uint32_t lane = 0; lane < unit.threads; ++lane) {
    if (!waitsInWarpOp(unit, lane)) continue;
    Meeting meeting(unit, lane, groupsApart);
    if (!meeting.isComplete()) continue;
    meeting.complete(unit);
    any = true;
  }
  return any;
}

}  // namespace musashim::devrt
