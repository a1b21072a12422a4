// What the block does that this host thread runs, by steps and accesses of its warps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "abi/musa_metrics_abi.h"
#include "cpu/devrt/metrics/lane_slots.h"
#include "cpu/devrt/metrics/warp_records.h"

namespace musashim::devrt::metrics {

class BlockMetrics;
// Of the block that this host thread runs and counts, or null.
extern thread_local BlockMetrics* current __attribute__((tls_model("initial-exec")));

// Threads run one after the other, so what lanes of a warp do together comes one lane at a time.
class BlockMetrics {
 public:
  void begin(const MusaBlockContext& block, MusaMetricsKernel& kernel);
  void step(MusaMetricsStep& step, uint64_t rounds, uint32_t thread) {
    (void)record(&step, rounds, thread, false);
  }
  void access(MusaMetricsAccess& access, uint64_t address, uint64_t rounds, uint32_t thread);
  LaneSlots& slots() { return slots_; }
  const MusaMetricsGroup& group(uint32_t number) const { return kernel_->groups[number]; }
  // Returns what the block did, where all of that is known by its slots; else nothing.
  std::unique_ptr<BlockKind> end();
  void drop();  // a fault: the block is not gone on with

 private:
  WarpRecord& record(const void* row, uint64_t rounds, uint32_t thread, bool isAccess);
  void count(const WarpRecord& record, const uint64_t* addresses);
  void countAccess(MusaMetricsAccess& access, std::span<const uint64_t> addresses);

  const MusaBlockContext* block_ = nullptr;
  MusaMetricsKernel* kernel_ = nullptr;
  uint32_t warp_ = UINT32_MAX;      // whose thread told something last; none has at first
  uint32_t warpShift_ = 0;          // a warp's width is a power of two
  std::vector<WarpRecords> warps_;  // what threads tell by calls
  LaneSlots slots_;                 // ... and what they leave
};

}  // namespace musashim::devrt::metrics
