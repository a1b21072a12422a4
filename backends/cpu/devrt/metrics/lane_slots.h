// The slots of a block's threads (abi/musa_metrics_abi.h), and what lanes of its warps have left in them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "abi/musa_metrics_abi.h"
#include "cpu/devrt/metrics/block_kinds.h"
#include "cpu/devrt/metrics/lane_patterns.h"
#include "cpu/devrt/metrics/sampling_error.h"

namespace musashim::devrt::metrics {

class LaneSlots {
 public:
  void begin(const MusaBlockContext& block, const MusaMetricsKernel& kernel);

  char* data() { return reinterpret_cast<char*>(slots_.data()); }
  uint64_t stride() const { return words_ * sizeof(uint64_t); }

  // Adds to the counters what is in the slots, which are 0 then.
  void turn(const MusaMetricsGroup& group);                   // of all rounds
  void settle(const MusaMetricsGroup& group);                 // of those in use
  void settleAll(std::vector<BlockCount>* counts = nullptr);  // which get what is added
  void drop();

  BlockTotals& totals() { return totals_; }

 private:
  using Traffic = std::array<MusaMetricsTraffic, 2>;  // a step's in the first

  static constexpr size_t kMostThreads = 2048;  // of a block
  struct Rounds {
    uint64_t warps = 0, lanes = 0, furthest = 0;
  };

  uint64_t* slot(uint32_t number) { return slots_.data() + number * words_; }
  uint64_t takeRounds(const MusaMetricsSlots& slots);  // returns the most that a thread has gone
  void takeRings(const MusaMetricsGroup& group, uint32_t rounds);
  template <typename Lanes>
  Rounds roundsIn(const MusaMetricsSlots& slots);
  Rounds roundsWide(const MusaMetricsSlots& slots);
  template <typename Lanes>
  void sumBlock(std::span<const MusaMetricsSlots> together, uint32_t round);
  void sumWide(std::span<const MusaMetricsSlots> together, uint32_t round);
  void takeBlock(std::span<const MusaMetricsSlots> together, uint32_t rounds);
  void addSums(const MusaMetricsSlots& slots, std::vector<BlockCount>* counts);
  template <typename Take>
  void forEachWarp(Take take) const;  // with its first lane, and behind its last

  const MusaBlockContext* block_ = nullptr;
  const MusaMetricsKernel* kernel_ = nullptr;
  uint32_t threads_ = 0, width_ = 0;
  uint64_t words_ = 0;  // from slot to slot: a whole number of warps, for the widest
  std::vector<uint64_t> slots_;
  std::vector<Traffic> sums_;  // of the block, by first slot
  BlockTotals totals_;
  std::vector<LanePattern> patterns_;  // by an access' slot
};

// To counters that all host threads add to.
void add(uint64_t& counter, uint64_t value);
void addTo(MusaMetricsTraffic& counters, const MusaMetricsTraffic& more);

}  // namespace musashim::devrt::metrics
