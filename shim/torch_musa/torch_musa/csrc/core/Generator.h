// Random numbers: a generator of a device's holds one of the CPU's, which the kernels use.
#pragma once

#include <ATen/core/Generator.h>

namespace at::musa {

const Generator& defaultGenerator(c10::DeviceIndex device);
// All of the default ones, those that are not there yet included: no device is begun by it.
void seedAll(uint64_t seed);
Generator newGenerator(c10::DeviceIndex device);
// The one inside; `generator` is one of ours.
Generator insideOf(const Generator& generator);

}  // namespace at::musa
