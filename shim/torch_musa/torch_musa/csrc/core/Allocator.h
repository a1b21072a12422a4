#pragma once

#include <c10/core/CachingDeviceAllocator.h>

namespace c10::musa {

DeviceAllocator& deviceAllocator();
// Of a device's memory that this process may hold.
void setMemoryFraction(DeviceIndex device, double fraction);

}  // namespace c10::musa
