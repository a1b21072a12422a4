// musaDeviceProp from the driver's attributes.
#pragma once

#include "musart/api/runtime.h"

namespace musashim::musart {

using DeviceAttributeCall = MUresult(int* value, MUdevice_attribute attribute, MUdevice device);

// `device` exists. `ask`: muDeviceGetAttribute, or cuDeviceGetAttribute for who asked by CUDA's name.
musaError_t deviceProperties(int device, struct musaDeviceProp& prop, DeviceAttributeCall* ask);

}  // namespace musashim::musart
