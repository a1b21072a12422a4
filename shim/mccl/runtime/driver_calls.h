// Calls of the driver interface, reached through the runtime's: it has none for what they tell.
#pragma once

#include <musa.h>
#include <musashim_tables.h>

namespace musashim::mccl {

struct DriverCalls {
  // Null where the driver has none.
  decltype(&muMemGetAddressRange) addressRange = nullptr;
  decltype(&muPointerGetAttribute) pointerAttribute = nullptr;
  const MUshimStreamTable* streams = nullptr;
  const MUshimMemoryTable* memory = nullptr;
  const MUshimMonitorTable* monitor = nullptr;
};

const DriverCalls& driverCalls();

// Until the end of the scope the calling thread, and threads that it creates, may touch the devices' memory.
class MemoryAccess {
 public:
  MemoryAccess() : before_(driverCalls().memory ? driverCalls().memory->open() : 0) {}
  ~MemoryAccess() {
    if (driverCalls().memory) driverCalls().memory->restore(before_);
  }
  MemoryAccess(const MemoryAccess&) = delete;
  MemoryAccess& operator=(const MemoryAccess&) = delete;

 private:
  const unsigned before_;
};

}  // namespace musashim::mccl
