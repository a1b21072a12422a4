// What PyTorch has from some release on, for the releases before it.
#pragma once

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/Stream.h>
#include <torch/version.h>

#include <utility>

// Whether this is PyTorch 2.minor or newer.
#define TORCH_MUSA_AT_LEAST(minor) (TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= (minor))

namespace c10::musa {

#if !TORCH_MUSA_AT_LEAST(9)
// Before 2.9 PyTorch asks an allocator for memory alone; torch.musa asks ours for the rest.
using MempoolId_t = std::pair<unsigned long long, unsigned long long>;

class DeviceAllocator : public Allocator {
 public:
  virtual bool initialized() = 0;
  virtual void emptyCache(MempoolId_t pool = {0, 0}) = 0;
  virtual void recordStream(const DataPtr& memory, Stream stream) = 0;
  virtual CachingDeviceAllocator::DeviceStats getDeviceStats(DeviceIndex device) = 0;
  virtual void resetAccumulatedStats(DeviceIndex device) = 0;
  virtual void resetPeakStats(DeviceIndex device) = 0;
};
#endif

}  // namespace c10::musa
