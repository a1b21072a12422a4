// Loops over the slots of 32 lanes, for the processor's widest vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace musashim::devrt::metrics {

// Memory serves 32 lanes at a time, whatever the warp's width: no source says otherwise of mp_22.
inline constexpr size_t kLanesTogether = 32;

struct LaneRounds {
  uint64_t sum = 0, most = 0;
};

struct LaneLoops {
  uint32_t (*present)(const uint64_t* slots);  // a bit for each that is not 0
  // Whether the lanes of `present` have other distances from `first` than these.
  bool (*differ)(const uint64_t* slots, uint64_t first, const uint64_t* distances, uint32_t present);
  LaneRounds (*rounds)(const uint64_t* slots);
};

extern const LaneLoops laneLoops;

}  // namespace musashim::devrt::metrics
