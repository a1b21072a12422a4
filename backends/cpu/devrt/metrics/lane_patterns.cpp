#include "cpu/devrt/metrics/lane_patterns.h"

#include <algorithm>

namespace musashim::devrt::metrics {
namespace {

constexpr uint64_t kAbsent = uint64_t{1} << 63 | 1;  // the distance of a lane that takes no part

// Written plainly: compilers make vectors of it.
inline uint64_t differences(const uint64_t* addresses, uint64_t first, const uint64_t* distances) {
  uint64_t different = 0;
  for (size_t lane = 0; lane < kLanesTogether; ++lane) {
    const uint64_t distance = addresses[lane] == 0 ? kAbsent : addresses[lane] - first;
    different |= distance ^ distances[lane];
  }
  return different;
}

[[gnu::target("avx512f")]] uint64_t differences512(const uint64_t* addresses, uint64_t first,
                                                   const uint64_t* distances) {
  return differences(addresses, first, distances);
}
[[gnu::target("avx2")]] uint64_t differences256(const uint64_t* addresses, uint64_t first,
                                                const uint64_t* distances) {
  return differences(addresses, first, distances);
}
uint64_t differencesAny(const uint64_t* addresses, uint64_t first, const uint64_t* distances) {
  return differences(addresses, first, distances);
}

const auto differencesHere = __builtin_cpu_supports("avx512f") ? differences512
                             : __builtin_cpu_supports("avx2")  ? differences256
                                                               : differencesAny;

}  // namespace

uint32_t countPresent(const uint64_t* addresses, size_t lanes) {
  uint64_t present = 0;
  for (size_t lane = 0; lane < lanes; ++lane) present += addresses[lane] != 0 ? 1 : 0;
  return static_cast<uint32_t>(present);
}

Parts LanePattern::partsOf(const uint64_t* addresses, uint32_t bytes, bool shared, bool atomic) {
  uint64_t first = addresses[0];
  for (size_t lane = 1; first == 0; ++lane) first = addresses[lane];
  // Banks go on as the addresses do, so that a whole word more or less is as good.
  const uint64_t start = shared ? kSectorBytes + first % kBankBytes : first % kSectorBytes;
  if (start == start_ && differencesHere(addresses, first, distances_.data()) == 0) return parts_;
  std::array<uint64_t, kLanesTogether> present;
  size_t lanes = 0;
  for (size_t lane = 0; lane < kLanesTogether; ++lane) {
    distances_[lane] = addresses[lane] == 0 ? kAbsent : addresses[lane] - first;
    if (addresses[lane] != 0) present[lanes++] = addresses[lane];
  }
  const std::span<const uint64_t> taking{present.data(), lanes};
  start_ = start;
  parts_ = shared ? wavefrontsOf(taking, bytes) : sectorsOf(taking, bytes);
  parts_.serial = atomic ? serialLanesOf(taking) : 0;
  return parts_;
}

}  // namespace musashim::devrt::metrics
