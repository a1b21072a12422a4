// What part of the L2 cache persisting accesses may have. No public source says it of the vendor's cards: the
// figures are those of CUDA devices of compute capability 8.0 and 9.0. There is no cache behind them, so
// windows change no result.
#pragma once

#include <fmt/core.h>

#include "interface/profile.h"
#include "musa.h"
#include "musa/api/result.h"

namespace musashim::musa {

// Five eighths of it, as of an A100's 40 MiB and an H100's 50 MiB. Bytes.
constexpr uint64_t mostPersistingBytes(const backend::DeviceProfile& profile) {
  return profile.l2Bytes / 8 * 5;
}

inline constexpr size_t kMostWindowBytes = 134213632;

// Of streams, launches and kernel nodes; as CUDA documents its fields.
inline Result checkWindow(const MUaccessPolicyWindow& window) {
  MUSA_REQUIRE(window.num_bytes <= kMostWindowBytes, MUSA_ERROR_INVALID_VALUE,
               fmt::format("a window of {} bytes; the most are {}", window.num_bytes, kMostWindowBytes));
  MUSA_REQUIRE(window.hitRatio >= 0 && window.hitRatio <= 1, MUSA_ERROR_INVALID_VALUE,
               fmt::format("hitRatio {} is not from 0 to 1", window.hitRatio));
  const auto known = [](int property) {
    return property >= MU_ACCESS_PROPERTY_NORMAL && property <= MU_ACCESS_PROPERTY_PERSISTING;
  };
  MUSA_REQUIRE(
      known(window.hitProp) && known(window.missProp) && window.missProp != MU_ACCESS_PROPERTY_PERSISTING,
      MUSA_ERROR_INVALID_VALUE, "hitProp or missProp; what misses can not persist");
  return {};
}

}  // namespace musashim::musa
