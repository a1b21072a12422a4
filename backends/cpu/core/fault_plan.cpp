#include "cpu/core/fault_plan.h"

#include <fmt/core.h>

namespace musashim::backend::cpu {

Status FaultPlan::lost() const {
  return {StatusCode::kDeviceLost, fmt::format("device {} is lost, as MUSASHIM_MACHINE asks for", device_)};
}

Status FaultPlan::next(FaultRule::Counts counts, std::atomic<uint64_t>& counter) {
  const uint64_t number = counter.fetch_add(1, std::memory_order_relaxed) + 1;
  for (const FaultRule& rule : rules_) {
    if (rule.counts != counts || number <= rule.after) continue;
    if (rule.times != 0 && number > rule.after + rule.times) continue;
    if (rule.error == StatusCode::kDeviceLost) {
      isLost_.store(true, std::memory_order_relaxed);
      return lost();
    }
    return {rule.error,
            fmt::format("{} {} of device {} fails, as MUSASHIM_MACHINE asks for",
                        counts == FaultRule::Counts::kLaunches ? "launch" : "allocation", number, device_)};
  }
  return Status::ok();
}

}  // namespace musashim::backend::cpu
