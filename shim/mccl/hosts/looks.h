// How often to look for what comes from other hosts before one sleeps: being woken costs two messages' time.
// Between the looks others get the processor.
#pragma once

#include <sched.h>

#include <chrono>

#include "mccl/engine/wait_point.h"

namespace musashim::mccl {

class Looks {
 public:
  // Whether to look again, rather than sleep.
  bool again() {
    ++count_;
    if (count_ < kAtOnce) {
      cpuRelax();
      return true;
    }
    if (count_ == kAtOnce) since_ = Clock::now();
    if (Clock::now() - since_ > kYieldFor) return false;
    sched_yield();
    return true;
  }
  void somethingCame() { count_ = 0; }
  int count() const { return count_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kAtOnce = 10;
  static constexpr auto kYieldFor = std::chrono::microseconds(200);

  int count_ = 0;
  Clock::time_point since_{};
};

}  // namespace musashim::mccl
