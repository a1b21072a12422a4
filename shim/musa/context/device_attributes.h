// What devices report about themselves.
#pragma once

#include "musa/api/driver.h"
#include "musa/api/numbering.h"
#include "musa/api/result.h"

namespace musashim::musa {

// `id` is an MUdevice_attribute. Fails for one that does not exist.
Result deviceAttribute(const DeviceState& device, int id, int& value, Numbering numbering = Numbering::kMusa);

}  // namespace musashim::musa
