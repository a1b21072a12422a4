// The names under which ported extensions know it.
#pragma once
#include "torch_musa/csrc/core/Device.h"

namespace c10::musa {

inline DeviceIndex ExchangeDevice(DeviceIndex device) {
  const DeviceIndex before = current_device();
  if (device >= 0 && device != before) set_device(device);
  return before;
}
inline DeviceIndex MaybeExchangeDevice(DeviceIndex device) { return ExchangeDevice(device); }
inline musaError_t GetDevice(DeviceIndex* device) {
  int found = 0;
  const musaError_t error = musaGetDevice(&found);
  *device = static_cast<DeviceIndex>(found);
  return error;
}
inline musaError_t SetDevice(DeviceIndex device) { return musaSetDevice(device); }
inline musaError_t MaybeSetDevice(DeviceIndex device) { return musaSetDevice(device); }
inline void device_synchronize() { C10_MUSA_CHECK(musaDeviceSynchronize()); }

}  // namespace c10::musa
