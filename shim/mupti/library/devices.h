// What MUPTI says of a device.
#pragma once

#include <cstdint>

#include "musa.h"

namespace musashim::mupti {

// In kB/s: two words of the bus for each beat of its clock.
uint64_t memoryBandwidth(MUdevice device);

}  // namespace musashim::mupti
