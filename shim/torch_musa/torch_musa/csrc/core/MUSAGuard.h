// Guards for extensions.
#pragma once

#include <c10/core/DeviceGuard.h>
#include <c10/core/StreamGuard.h>

#include "torch_musa/csrc/core/MUSAStream.h"

namespace c10::musa {

struct MUSAGuard : DeviceGuard {
  explicit MUSAGuard(DeviceIndex device) : DeviceGuard(Device(kDevice, device)) {}
  explicit MUSAGuard(Device device) : DeviceGuard(device) {}
};
struct OptionalMUSAGuard : OptionalDeviceGuard {
  OptionalMUSAGuard() = default;
  explicit OptionalMUSAGuard(std::optional<Device> device) : OptionalDeviceGuard(device) {}
};
struct MUSAStreamGuard : StreamGuard {
  explicit MUSAStreamGuard(Stream stream) : StreamGuard(stream) {}
};
using OptionalMUSAStreamGuard = OptionalStreamGuard;

}  // namespace c10::musa

namespace at::musa {
using c10::musa::MUSAGuard;
using c10::musa::MUSAStreamGuard;
using c10::musa::OptionalMUSAGuard;
}  // namespace at::musa
