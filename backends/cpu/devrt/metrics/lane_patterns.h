// What accesses of lanes cost, remembered: most of a kernel's have the same distances between lanes each
// time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "cpu/devrt/metrics/access_parts.h"
#include "cpu/devrt/metrics/lane_loops.h"

namespace musashim::devrt::metrics {

class LanePattern {
 public:
  // `addresses` of kLanesTogether lanes, of which those of `present`, some, take part. `Lanes`: of
  // lane_loops.h.
  template <typename Lanes>
  const Parts& partsOf(const uint64_t* addresses, uint32_t present, uint32_t bytes, bool shared,
                       bool atomic) {
    const uint64_t first = addresses[std::countr_zero(present)];
    // Banks go on as the addresses do, so that a whole word more or less is as good.
    const uint64_t start = shared ? kSectorBytes + first % kBankBytes : first % kSectorBytes;
    if (present != present_ || start != start_ ||
        Lanes::differ(addresses, first, distances_.data(), present)) {
      start_ = start;
      learn(addresses, present, bytes, shared, atomic);
    }
    return parts_;
  }

 private:
  void learn(const uint64_t* addresses, uint32_t present, uint32_t bytes, bool shared, bool atomic);

  alignas(64) std::array<uint64_t, kLanesTogether> distances_{};  // from the first lane that takes part
  uint64_t start_ = 0;  // the first address, as far as the cost depends on it
  uint32_t present_ = 0;
  Parts parts_;
};

}  // namespace musashim::devrt::metrics
