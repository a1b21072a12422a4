// What the checks keep for one kernel launch: nothing, unless its kernel is checked.
#pragma once

#include <atomic>

#include "abi/musa_device_abi.h"
#include "cpu/devrt/checks/check_hooks.h"

namespace musashim::devrt::checks {

class LaunchReports;

class LaunchSlot {
 public:
  LaunchSlot() = default;
  ~LaunchSlot() {
    if (on()) finish();
  }
  LaunchSlot(const LaunchSlot&) = delete;
  LaunchSlot& operator=(const LaunchSlot&) = delete;

  LaunchReports& get(const MusaKernelInfo& kernel);  // made on first use

 private:
  // The launch is over. When no thread of it asked for reports, its kernel is not
  // checked, and what it wrote is not known.
  MUSADEVRT_API void finish();

  std::atomic<LaunchReports*> reports_{nullptr};
};

}  // namespace musashim::devrt::checks
