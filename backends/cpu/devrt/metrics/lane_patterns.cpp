#include "cpu/devrt/metrics/lane_patterns.h"

#include <bit>

namespace musashim::devrt::metrics {

const Parts& LanePattern::partsOf(const uint64_t* addresses, uint32_t present, uint32_t bytes, bool shared,
                                  bool atomic) {
  const uint64_t first = addresses[std::countr_zero(present)];
  // Banks go on as the addresses do, so that a whole word more or less is as good.
  const uint64_t start = shared ? kSectorBytes + first % kBankBytes : first % kSectorBytes;
  if (present == present_ && start == start_ &&
      !laneLoops.differ(addresses, first, distances_.data(), present))
    return parts_;
  std::array<uint64_t, kLanesTogether> taking;
  size_t lanes = 0;
  for (size_t lane = 0; lane < kLanesTogether; ++lane) {
    distances_[lane] = addresses[lane] - first;
    if ((present >> lane & 1) != 0) taking[lanes++] = addresses[lane];
  }
  const std::span<const uint64_t> of{taking.data(), lanes};
  present_ = present;
  start_ = start;
  parts_ = shared ? wavefrontsOf(of, bytes) : sectorsOf(of, bytes);
  parts_.serial = atomic ? serialLanesOf(of) : 0;
  return parts_;
}

}  // namespace musashim::devrt::metrics
