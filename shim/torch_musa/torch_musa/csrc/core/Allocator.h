#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "torch_musa/csrc/core/Capture.h"
#include "torch_musa/csrc/core/Older.h"
#include "torch_musa/csrc/memory/History.h"
#include "torch_musa/csrc/memory/Segment.h"

namespace c10::musa {

DeviceAllocator& deviceAllocator();
// Free and total bytes of a device.
std::pair<std::size_t, std::size_t> memoryInfo(DeviceIndex device);
// Of a device's memory that this process may hold.
void setMemoryFraction(DeviceIndex device, double fraction);
double memoryFraction(DeviceIndex device);
// What was recorded, and that it is forgotten, of a device.
std::vector<Happening> memoryHistory(DeviceIndex device);
void clearMemoryHistory(DeviceIndex device);
// What the runtime gave and how it is used.
std::vector<Segment> memorySegments(DeviceIndex device);
// A graph's pool that no graph uses any more.
void dropPool(DeviceIndex device, PoolId pool);

}  // namespace c10::musa
