#include "mccl/net/device_memory.h"

#include <atomic>

namespace musashim::mccl {
namespace {

std::atomic<DeviceMemoryLender> deviceMemoryLender{nullptr};

}  // namespace

void setDeviceMemoryLender(DeviceMemoryLender lender) { deviceMemoryLender.store(lender); }

void withDeviceMemory(size_t bytes, const std::function<void(void*)>& use) {
  if (const DeviceMemoryLender lender = deviceMemoryLender.load()) lender(bytes, use);
}

}  // namespace musashim::mccl
