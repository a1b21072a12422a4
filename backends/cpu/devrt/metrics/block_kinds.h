// What blocks of a kernel did that are counted once for all of their kind (MusaBlockKindFunction).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "abi/musa_metrics_abi.h"
#include "cpu/devrt/metrics/sampling_error.h"

namespace musashim::devrt::metrics {

struct BlockCount {
  void* row;  // MusaMetricsStep, or MusaMetricsAccess
  bool isAccess;
  std::array<MusaMetricsTraffic, 2> traffic;  // a step's in the first
};

struct BlockKind {
  uint64_t key = 0;
  std::vector<BlockCount> counts;
  BlockTotals totals;
  std::atomic<uint64_t> repeats = 0;  // blocks that are not in the counters yet
};

// Of one kernel; any host thread may ask.
class BlockKinds {
 public:
  BlockKinds() = default;
  BlockKinds(const BlockKinds&) = delete;
  BlockKinds& operator=(const BlockKinds&) = delete;

  BlockKind* find(uint64_t key) const;
  // Of a block that was counted; it is not kept when there are many kinds: then they are of little use.
  void add(std::unique_ptr<BlockKind> kind);
  bool isFull() const { return count_.load(std::memory_order_relaxed) >= kMost; }
  // Adds what repeated blocks did to the kernel's counters, and to those of the error of sampling.
  void addRepeats(MusaMetricsKernel& kernel, SamplingError& error);

  // Of a block among those of launches of all sizes, whose number is `kind`.
  static uint64_t keyOf(const MusaBlockContext& block, uint64_t kind);

 private:
  static constexpr size_t kSlots = 512, kMost = kSlots / 4;

  std::array<std::atomic<BlockKind*>, kSlots> slots_{};
  std::atomic<size_t> count_ = 0;
  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockKind>> all_;
};

}  // namespace musashim::devrt::metrics
