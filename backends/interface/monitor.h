// What all processes that share the devices have of them, for tools that only look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace musashim::backend {

struct ProcessUse {
  int process = 0;
  uint64_t bytes = 0;  // of the device's memory
};

class Monitor {
 public:
  virtual ~Monitor() = default;

  // The processes that have contexts or memory on the device.
  virtual std::vector<ProcessUse> processesOn(size_t device) = 0;
  virtual uint64_t usedBytes(size_t device) = 0;
  // A bit for each device on which a kernel runs at this moment. Cheap: to be asked again and again.
  virtual uint64_t runningDevices() = 0;
};

}  // namespace musashim::backend
