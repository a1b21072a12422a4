// Warp operations among threads that went different ways, or that name only some lanes.
#include <algorithm>
#include <array>
#include <bit>

#include "cpu/devrt/units/unit_steps.h"
#include "cpu/devrt/units/unit_warp_results.h"

namespace musashim::devrt {

namespace {

// Where the lanes of a warp are. Places behind its last thread are those of threads that have ended.
template <uint32_t kGroups>
class WarpPlaces {
 public:
  using Lanes = LaneSet<kGroups>;

  explicit WarpPlaces(MusaUnit& unit) : unit_(unit) {
    for (uint32_t i = 0; i < kGroups; ++i) {
      living_.groups[i] = ~lanesEqual(placesOf(i), uint16_t{MUSA_PC_EXITED});
      waiting_.groups[i] = lanesWithBit(placesOf(i), kWaitsBit);
    }
  }

  const Lanes& living() const { return living_; }
  const Lanes& waiting() const { return waiting_; }
  Lanes at(uint16_t place) const {
    Lanes result;
    for (uint32_t i = 0; i < kGroups; ++i) result.groups[i] = lanesEqual(placesOf(i), place);
    return result;
  }
  // `lanes` are at `place`.
  void goOn(const Lanes& lanes, uint16_t place) {
    for (uint32_t i = 0; i < kGroups; ++i) goOnInGroup(i, lanes.groups[i], place);
    waiting_.remove(lanes);
  }

 private:
  static constexpr int kWaitsBit = std::countr_zero(uint32_t{MUSA_PC_WAITS});

  // Mostly all who are there go on, and all at once: what is read next are vectors.
  void goOnInGroup(uint32_t group, uint32_t lanes, uint16_t place) {
    const auto next = static_cast<uint16_t>(place & ~MUSA_PC_WAITS);
    if (lanes == lanesEqual(placesOf(group), place)) {
      replaceLanes(placesOf(group), place, next);
    } else {
      forEachBit(lanes, group * kGroup, [&](uint32_t lane) { unit_.pc[lane] = next; });
    }
  }
  uint16_t* placesOf(uint32_t group) const { return unit_.pc + group * kGroup; }

  MusaUnit& unit_;
  Lanes living_, waiting_;
};

// Lanes of the warp that one operation is about, seen from one of them.
struct Scope {
  uint32_t first = 0, lanes = kGroup;
  bool isSame = true;  // for each that calls at the same place
};

Scope scopeOf(const MusaUnit& unit, const MusaRegion& region, uint32_t lane, bool groupsApart) {
  Scope scope;
  if ((region.op == MUSA_OP_SYNCWARP && !groupsApart) || region.op == MUSA_OP_ACTIVEMASK)
    scope.lanes = unit.capacity;
  if (isShuffle(region.op) && unit.capacity > kGroup) {
    scope.lanes = std::max(kGroup, shuffleWidth(unit.capacity, readOperand(unit, region.width, lane)));
    // A source outside the caller's segment needs a scope that holds both.
    if (region.op == MUSA_OP_SHFL_XOR) {
      const auto bits = static_cast<uint32_t>(readOperand(unit, region.argument, lane)) & (unit.capacity - 1);
      scope.lanes = std::max(scope.lanes, std::bit_ceil(bits + 1));
    }
    scope.isSame = false;
  }
  scope.first = lane - lane % scope.lanes;
  return scope;
}

// One operation in which a lane waits: who takes part, and whether all have come. A lane that its own mask
// does not name waits for nobody: it takes part with those of its kind that are here, as where hardware moves
// them together.
template <uint32_t kGroups>
class Meeting {
 public:
  using Lanes = LaneSet<kGroups>;

  Meeting(const MusaUnit& unit, WarpPlaces<kGroups>& places, uint32_t lane, bool groupsApart)
      : unit_(unit),
        operands_(unit),
        places_(places),
        lane_(lane),
        region_(regionAt(unit, unit.pc[lane])),
        scope_(scopeOf(unit, region_, lane, groupsApart)) {
    if (region_.op != MUSA_OP_ACTIVEMASK)
      mask_ = static_cast<uint32_t>(readOperand(unit, region_.mask, lane));
  }

  bool isComplete() {
    if (region_.op == MUSA_OP_ACTIVEMASK) {
      // Those who are here now: the others are elsewhere.
      join(region_, inScope(places_.at(unit_.pc[lane_])));
      return true;
    }
    if (!isNamed()) {
      join(region_, alike());
      return true;
    }
    Lanes missing = inScope(places_.living());
    for (uint32_t& group : missing.groups) group &= mask_;
    while (!missing.empty()) {
      // The same operation with the same mask, wherever in the source it stands.
      const uint32_t lane = missing.first();
      if (!places_.waiting().has(lane)) return false;
      const uint16_t place = unit_.pc[lane];
      const MusaRegion& region = regionAt(unit_, place);
      // Code written for 32 lanes ("if (threadIdx.x < 32)") leaves the other 96 at the barrier.
      if (kGroups > 1 && (musaOpIsBarrier(region.op) != 0 || region.op == MUSA_OP_NAMED_WAIT)) {
        missing.remove(places_.at(place));
        continue;
      }
      if (region.op != region_.op) return false;
      const Lanes there = operands_.with(region.mask, places_.at(place) & missing, mask_);
      if (!there.has(lane)) return false;
      join(region, there);
      missing.remove(there);
    }
    return !present_.empty();
  }

  // Gives everyone the result and lets them go on.
  void complete(CompletedOps& completed) {
    LaneValues<kGroups> results;
    const WarpResults<kGroups> found(operands_, present_, values_);
    // All read before anyone's result is written.
    forEachPlace(
        [&](uint16_t place, const Lanes& lanes) { found.find(regionAt(unit_, place), lanes, results); });
    forEachPlace([&](uint16_t place, const Lanes& lanes) {
      const MusaRegion& region = regionAt(unit_, place);
      operands_.write(region.result, lanes, results);
      places_.goOn(lanes, place);
      completed.goesOn(unit_, place);
    });
  }

  const Lanes& present() const { return present_; }
  // Those for whom the operation is as incomplete as for this lane.
  Lanes waitingAlike() const { return scope_.isSame ? alike() : Lanes::of(lane_); }

 private:
  bool isNamed() const { return (mask_ >> lane_ % kGroup & 1) != 0; }

  // Those who call here with this mask, and whom it names, or, like this lane, does not.
  Lanes alike() const {
    Lanes lanes = operands_.with(region_.mask, inScope(places_.at(unit_.pc[lane_])), mask_);
    for (uint32_t& group : lanes.groups) group &= isNamed() ? mask_ : ~mask_;
    return lanes;
  }

  Lanes inScope(Lanes lanes) const {
    for (uint32_t i = 0; i < kGroups; ++i) {
      if (i * kGroup - scope_.first >= scope_.lanes) lanes.groups[i] = 0;
    }
    return lanes;
  }

  void join(const MusaRegion& region, const Lanes& lanes) {
    if (present_.empty()) {
      operands_.readGroups(region.value, values_);  // what others have does no harm
    } else {
      operands_.read(region.value, lanes, values_);
    }
    present_.add(lanes);
  }

  // Of those who are present; mostly there is one.
  template <typename Visit>
  void forEachPlace(Visit visit) const {
    for (Lanes left = present_; !left.empty();) {
      const uint16_t place = unit_.pc[left.first()];
      const Lanes there = places_.at(place) & left;
      visit(place, there);
      left.remove(there);
    }
  }

  const MusaUnit& unit_;
  const LaneOperands<kGroups> operands_;
  WarpPlaces<kGroups>& places_;
  const uint32_t lane_;
  const MusaRegion& region_;
  const Scope scope_;
  uint32_t mask_ = ~0u;
  Lanes present_;
  LaneValues<kGroups> values_;  // of those who are present; of others anything
};

// Of the lanes at convergence points those go on that are behind, or all. The others are there or elsewhere:
// they wait for what is up to these, or for nobody.
template <uint32_t kGroups>
void releaseConverging(const MusaUnit& unit, WarpPlaces<kGroups>& places, bool all, CompletedOps& completed) {
  uint64_t lowest = UINT64_MAX;
  LaneSet<kGroups> behind;
  for (LaneSet<kGroups> left = places.waiting(); !left.empty();) {
    const uint16_t place = unit.pc[left.first()];
    const LaneSet<kGroups> there = places.at(place);
    left.remove(there);
    const MusaRegion& region = regionAt(unit, place);
    if (region.op != MUSA_OP_CONVERGE || (!all && region.argument.constant > lowest)) continue;
    if (!all && region.argument.constant < lowest) behind = {};
    lowest = region.argument.constant;
    behind.add(there);
  }
  while (!behind.empty()) {
    const uint16_t place = unit.pc[behind.first()];
    const LaneSet<kGroups> there = places.at(place);
    behind.remove(there);
    places.goOn(there, place);
    completed.goesOn(unit, place);
  }
}

template <uint32_t kGroups>
CompletedOps completeOps(MusaUnit& unit, bool groupsApart, Converging converging) {
  WarpPlaces<kGroups> places(unit);
  CompletedOps completed;
  for (LaneSet<kGroups> left = places.waiting(); !left.empty();) {
    const uint32_t lane = left.first();
    const uint32_t op = regionAt(unit, unit.pc[lane]).op;
    if (musaOpIsWarps(op) == 0 || op == MUSA_OP_CONVERGE) {
      left.remove(places.at(unit.pc[lane]));
      continue;
    }
    Meeting<kGroups> meeting(unit, places, lane, groupsApart);
    left.remove(LaneSet<kGroups>::of(lane));
    if (!meeting.isComplete()) {
      left.remove(meeting.waitingAlike());
      continue;
    }
    meeting.complete(completed);
    left.remove(meeting.present());
  }
  if (!completed.any && converging != Converging::kWait)
    releaseConverging(unit, places, converging == Converging::kAllGoOn, completed);
  return completed;
}

}  // namespace

CompletedOps completeWarpOps(MusaUnit& unit, bool groupsApart, Converging converging) {
  if (unit.program->run == nullptr) return {};  // a block whose kernel has none
  return unit.capacity == kGroup ? completeOps<1>(unit, groupsApart, converging)
                                 : completeOps<kMostGroups>(unit, groupsApart, converging);
}

}  // namespace musashim::devrt
