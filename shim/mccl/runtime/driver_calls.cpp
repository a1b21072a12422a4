#include "mccl/runtime/driver_calls.h"

#include "core/driver_call.h"

namespace musashim::mccl {

const DriverCalls& driverCalls() {
  static const DriverCalls kCalls = {
      core::driverCall<decltype(muMemGetAddressRange)>("muMemGetAddressRange"),
      core::driverCall<decltype(muPointerGetAttribute)>("muPointerGetAttribute"),
      core::driverTable<MUshimStreamTable>(MUSASHIM_STREAM_TABLE),
      core::driverTable<MUshimMemoryTable>(MUSASHIM_MEMORY_TABLE),
      core::driverTable<MUshimMonitorTable>(MUSASHIM_MONITOR_TABLE),
  };
  return kCalls;
}

}  // namespace musashim::mccl
