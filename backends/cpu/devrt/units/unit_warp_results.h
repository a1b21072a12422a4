// What the lanes get that a warp operation brings together.
#pragma once

#include "cpu/devrt/units/unit_operands.h"

namespace musashim::devrt {

inline bool isShuffle(uint32_t op) { return op >= MUSA_OP_SHFL_IDX && op <= MUSA_OP_SHFL_XOR; }

// Shuffle widths are powers of two up to the warp's; others are undefined: whole warp.
inline uint32_t shuffleWidth(uint32_t warpSize, uint64_t wanted) {
  const auto width = static_cast<uint32_t>(wanted);
  return std::has_single_bit(width) && width <= warpSize ? width : warpSize;
}

template <uint32_t kGroups>
class WarpResults {
 public:
  using Lanes = LaneSet<kGroups>;
  using Values = LaneValues<kGroups>;

  // `values`: what all that take part have brought; of other lanes anything.
  WarpResults(const LaneOperands<kGroups>& operands, const Lanes& present, const Values& values)
      : operands_(operands), present_(present), values_(values) {}

  // What `lanes` get, which call the operation at one place of the source.
  void find(const MusaRegion& region, const Lanes& lanes, Values& results) const {
    switch (region.op) {
      case MUSA_OP_SYNCWARP:
        return;
      case MUSA_OP_ACTIVEMASK:
        return giveGroups(lanes, results, [](uint32_t present, uint32_t) { return present; });
      case MUSA_OP_BALLOT:
        return giveGroups(lanes, results, [](uint32_t, uint32_t holding) { return holding; });
      case MUSA_OP_ALL:
        return giveGroups(lanes, results,
                          [](uint32_t present, uint32_t holding) { return holding == present; });
      case MUSA_OP_ANY:
        return giveGroups(lanes, results, [](uint32_t, uint32_t holding) { return holding != 0; });
      case MUSA_OP_MATCH_ANY:
      case MUSA_OP_MATCH_ALL:
        return match(region, lanes, results);
      default:
        return shuffle(region, lanes, results);
    }
  }

 private:
  static constexpr uint32_t kWarpSize = kGroups * kGroup;

  uint32_t lanesWith(uint64_t value, uint32_t group) const {
    return present_.groups[group] & lanesEqual(values_.data() + group * kGroup, value);
  }

  // What a group gets depends on who is present, and on those of them whose value is not 0.
  template <typename Result>
  void giveGroups(const Lanes& lanes, Values& results, Result result) const {
    for (uint32_t i = 0; i < kGroups; ++i) {
      if (lanes.groups[i] == 0) continue;
      const uint32_t present = present_.groups[i];
      const uint64_t value = result(present, present & ~lanesWith(0, i));
      forEachBit(lanes.groups[i], i * kGroup, [&](uint32_t lane) { results[lane] = value; });
    }
  }

  void match(const MusaRegion& region, const Lanes& lanes, Values& results) const {
    for (uint32_t i = 0; i < kGroups; ++i) {
      // All lanes with one value get the same.
      for (uint32_t left = lanes.groups[i]; left != 0;) {
        const uint64_t value = values_[i * kGroup + static_cast<uint32_t>(std::countr_zero(left))];
        const uint32_t same = lanesWith(value, i);
        const bool holds = region.op == MUSA_OP_MATCH_ANY || same == present_.groups[i];
        forEachBit(left & same, i * kGroup, [&](uint32_t lane) { results[lane] = holds ? same : 0; });
        left &= ~same;
      }
    }
  }

  // By the rules of CUDA's shuffles for lanes outside of their segment.
  void shuffle(const MusaRegion& region, const Lanes& lanes, Values& results) const {
    switch (region.op) {
      case MUSA_OP_SHFL_IDX:
        return takeFrom(region, lanes, results, [](uint32_t lane, uint32_t argument, uint32_t width) {
          return (lane & ~(width - 1)) | (argument & (width - 1));
        });
      case MUSA_OP_SHFL_UP:
        return takeFrom(region, lanes, results, [](uint32_t lane, uint32_t argument, uint32_t width) {
          return argument <= (lane & (width - 1)) ? lane - argument : lane;
        });
      case MUSA_OP_SHFL_DOWN:
        return takeFrom(region, lanes, results, [](uint32_t lane, uint32_t argument, uint32_t width) {
          return argument < width - (lane & (width - 1)) ? lane + argument : lane;
        });
      default:
        // Earlier segments may be read, later ones give the caller's own value.
        return takeFrom(region, lanes, results, [](uint32_t lane, uint32_t argument, uint32_t width) {
          const uint32_t source = lane ^ (argument & (kWarpSize - 1));
          return source > (lane | (width - 1)) ? lane : source;
        });
    }
  }

  // `sourceOf`: the lane whose value a lane gets.
  template <typename Source>
  void takeFrom(const MusaRegion& region, const Lanes& lanes, Values& results, Source sourceOf) const {
    const auto take = [&](uint32_t lane, uint64_t argument, uint32_t width) {
      const uint32_t source = sourceOf(lane, static_cast<uint32_t>(argument), width);
      results[lane] = values_[source < kWarpSize && present_.has(source) ? source : lane];
    };
    if (region.argument.slot < 0 && region.width.slot < 0) {
      const uint32_t width = shuffleWidth(kWarpSize, region.width.constant);
      lanes.forEach([&](uint32_t lane) { take(lane, region.argument.constant, width); });
      return;
    }
    lanes.forEach([&](uint32_t lane) {
      const uint64_t width = operands_.read(region.width, lane);
      take(lane, operands_.read(region.argument, lane), shuffleWidth(kWarpSize, width));
    });
  }

  const LaneOperands<kGroups>& operands_;
  const Lanes& present_;
  const Values& values_;
};

}  // namespace musashim::devrt
