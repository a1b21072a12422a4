// Memory of a device, for network layers that want to know whether they can reach it.
#pragma once

#include <cstddef>
#include <functional>

namespace musashim::mccl {

// Lends memory of the current device for the time of one call, which may touch it. Does not call where there
// is none.
using DeviceMemoryLender = void (*)(size_t bytes, const std::function<void(void* memory)>& use);

// By whoever knows the runtime; set once.
void setDeviceMemoryLender(DeviceMemoryLender lender);
void withDeviceMemory(size_t bytes, const std::function<void(void* memory)>& use);

}  // namespace musashim::mccl
