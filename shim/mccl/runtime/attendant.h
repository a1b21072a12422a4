// A thread that makes runtime calls for code that may not: functions on streams.
#pragma once

#include <functional>

namespace musashim::mccl {

class Attendant {
 public:
  static void post(std::function<void()> task);

  // Returns when `task` has run.
  static void run(const std::function<void()>& task);
};

}  // namespace musashim::mccl
