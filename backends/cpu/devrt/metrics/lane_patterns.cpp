#include "cpu/devrt/metrics/lane_patterns.h"

namespace musashim::devrt::metrics {

void LanePattern::learn(const uint64_t* addresses, uint32_t present, uint32_t bytes, bool shared,
                        bool atomic) {
  const uint64_t first = addresses[std::countr_zero(present)];
  std::array<uint64_t, kLanesTogether> taking;
  size_t lanes = 0;
  for (size_t lane = 0; lane < kLanesTogether; ++lane) {
    distances_[lane] = addresses[lane] - first;
    taking[lanes] = addresses[lane];
    lanes += present >> lane & 1;
  }
  const std::span<const uint64_t> of{taking.data(), lanes};
  present_ = present;
  parts_ = shared ? wavefrontsOf(of, bytes) : sectorsOf(of, bytes);
  parts_.serial = atomic ? serialLanesOf(of) : 0;
}

}  // namespace musashim::devrt::metrics
