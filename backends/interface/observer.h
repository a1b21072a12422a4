// Who is told of commands as they run: for traces.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interface/command.h"

namespace musashim::backend {

struct CommandRun {
  const Command& command;  // Copy, Fill, KernelLaunch or HostCall
  size_t device;           // its index
  uint64_t queue;          // Queue::label, or a number of its own where that is 0
  uint64_t tag;            // of the submission
};

class CommandObserver {
 public:
  virtual ~CommandObserver() = default;

  // The tag of what the calling thread submits now.
  virtual uint64_t tag() = 0;
  // On the thread that ran it, before others see that it is complete. Times are support::ticks().
  virtual void ran(const CommandRun& run, int64_t begin, int64_t end) = 0;
};

}  // namespace musashim::backend
