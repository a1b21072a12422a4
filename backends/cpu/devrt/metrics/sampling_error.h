// How far figures of some of a kernel's blocks may be from those of all: from how the blocks that were
// counted differ.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "abi/musa_metrics_abi.h"

namespace musashim::devrt::metrics {

// What a block did, in sum.
struct BlockTotals {
  uint64_t steps = 0, stepLanes = 0;
  std::array<uint64_t, 2> requests{}, parts{};  // of device memory, of shared memory

  void addStep(uint64_t warps, uint64_t lanes) {
    steps += warps;
    stepLanes += lanes;
  }
  void addTraffic(bool shared, const MusaMetricsTraffic& traffic) {
    requests[shared ? 1 : 0] += traffic.requests;
    parts[shared ? 1 : 0] += traffic.parts;
  }
};

class SamplingError {
 public:
  void add(const BlockTotals& block, uint64_t times = 1);

  // Twice the standard error, as a share of the figure, when the kernel had so many blocks. Nothing where one
  // block alone was counted, or there is no such figure.
  std::optional<double> ofWork(uint64_t blocks) const;
  std::optional<double> ofActiveLanes(uint64_t blocks) const { return ofRatio(0, 1, blocks); }
  std::optional<double> ofSectors(uint64_t blocks) const { return ofRatio(2, 3, blocks); }
  std::optional<double> ofTurns(uint64_t blocks) const { return ofRatio(4, 5, blocks); }

 private:
  std::optional<double> ofRatio(size_t each, size_t counted, uint64_t blocks) const;
  double left(uint64_t blocks) const;  // 0 when all were counted

  uint64_t count_ = 0;
  std::array<double, 6> sum_{}, square_{};
  std::array<double, 3> product_{};  // of pairs
};

}  // namespace musashim::devrt::metrics
