// Faults that a machine's description asks for: so that a program's handling of them can be tried.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "interface/status.h"

namespace musashim::backend::cpu {

struct FaultRule {
  enum class Counts { kLaunches, kAllocations };
  Counts counts = Counts::kLaunches;
  uint64_t after = 0;  // so many go well
  uint64_t times = 0;  // then so many fail; 0: all
  StatusCode error = StatusCode::kOk;
};

// Of one device. Any thread may ask.
class FaultPlan {
 public:
  FaultPlan(std::vector<FaultRule> rules, size_t device) : rules_(std::move(rules)), device_(device) {}

  // One more is about to happen: ok, or what happens instead.
  Status launch() { return next(FaultRule::Counts::kLaunches, launches_); }
  Status allocation() { return next(FaultRule::Counts::kAllocations, allocations_); }

  // Once lost, a device stays so.
  bool isLost() const { return isLost_.load(std::memory_order_relaxed); }
  Status lost() const;

 private:
  Status next(FaultRule::Counts counts, std::atomic<uint64_t>& counter);

  const std::vector<FaultRule> rules_;
  const size_t device_;
  std::atomic<uint64_t> launches_{0}, allocations_{0};
  std::atomic<bool> isLost_{false};
};

}  // namespace musashim::backend::cpu
