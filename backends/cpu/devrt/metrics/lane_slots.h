// The slots of a block's threads (abi/musa_metrics_abi.h), and what lanes of its warps have left in them.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/musa_metrics_abi.h"
#include "cpu/devrt/metrics/lane_patterns.h"

namespace musashim::devrt::metrics {

class LaneSlots {
 public:
  void begin(const MusaBlockContext& block, const MusaMetricsKernel& kernel);

  char* data() { return reinterpret_cast<char*>(slots_.data()); }
  uint64_t stride() const { return words_ * sizeof(uint64_t); }

  // Adds to the counters what is in the slots, which are 0 then.
  void turn(const MusaMetricsGroup& group);    // of all rounds
  void settle(const MusaMetricsGroup& group);  // of those in use
  void settleAll();
  void drop();

 private:
  uint64_t* slot(uint32_t number) { return slots_.data() + number * words_; }
  uint64_t takeRounds(const MusaMetricsSlots& slots);  // returns the most that a thread has gone
  void takeSteps(const MusaMetricsSlots& slots, uint32_t rounds);
  void takeAccesses(const MusaMetricsSlots& slots, uint32_t rounds);
  template <typename Take>
  void forEachWarp(uint64_t* slot, Take take) const;

  const MusaBlockContext* block_ = nullptr;
  const MusaMetricsKernel* kernel_ = nullptr;
  uint32_t threads_ = 0, width_ = 0;
  uint64_t words_ = 0;  // from slot to slot: a whole number of warps, for the widest
  std::vector<uint64_t> slots_;
  std::vector<LanePattern> patterns_;  // by an access' slot
};

void add(uint64_t& counter, uint64_t value);

}  // namespace musashim::devrt::metrics
