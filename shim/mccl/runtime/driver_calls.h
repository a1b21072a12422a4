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
};

const DriverCalls& driverCalls();

}  // namespace musashim::mccl
