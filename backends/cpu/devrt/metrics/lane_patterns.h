// What accesses of lanes cost, remembered: most of a kernel's have the same distances between lanes each
// time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpu/devrt/metrics/access_parts.h"

namespace musashim::devrt::metrics {

// Memory serves 32 lanes at a time, whatever the warp's width: no source says otherwise of mp_22.
inline constexpr size_t kLanesTogether = 32;

class LanePattern {
 public:
  // `addresses` of kLanesTogether lanes, 0 of those that take no part; not all are 0.
  Parts partsOf(const uint64_t* addresses, uint32_t bytes, bool shared, bool atomic);

 private:
  std::array<uint64_t, kLanesTogether> distances_{};  // from the first lane that takes part
  uint64_t start_ = UINT64_MAX;                       // the first address, as far as the cost depends on it
  Parts parts_;
};

// How many are not 0.
uint32_t countPresent(const uint64_t* addresses, size_t lanes);

}  // namespace musashim::devrt::metrics
