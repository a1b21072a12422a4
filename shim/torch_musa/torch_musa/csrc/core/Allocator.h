#pragma once

#include <c10/core/CachingDeviceAllocator.h>

#include <vector>

namespace c10::musa {

DeviceAllocator& deviceAllocator();
// Of a device's memory that this process may hold.
void setMemoryFraction(DeviceIndex device, double fraction);
// What the runtime gave and how it is used.
std::vector<CachingDeviceAllocator::SegmentInfo> memorySegments(DeviceIndex device);
// A graph's pool that no graph uses any more.
void dropPool(DeviceIndex device, MempoolId_t pool);

}  // namespace c10::musa
