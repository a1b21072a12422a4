// What devices report about themselves.
#pragma once

#include "musa/api/driver.h"
#include "musa/api/result.h"

namespace musashim::musa {

// `id` is an MUdevice_attribute. Fails for one that does not exist.
Result deviceAttribute(const DeviceState& device, int id, int& value);

}  // namespace musashim::musa
