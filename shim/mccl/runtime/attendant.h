// Threads that make runtime calls for code that may not: functions on streams.
#pragma once

#include <functional>

namespace musashim::mccl {

class Attendant {
 public:
  // What frees memory may wait for all streams; what the streams wait for must not stand behind it.
  enum Lane { kPrompt, kCleanUp };

  static void post(Lane lane, std::function<void()> task);

  // Returns when `task` has run.
  static void run(const std::function<void()>& task);
};

}  // namespace musashim::mccl
