// musaDeviceProp from the driver's attributes.
#pragma once

#include "musart/api/runtime.h"

namespace musashim::musart {

// `device` exists.
musaError_t deviceProperties(int device, struct musaDeviceProp& prop);

}  // namespace musashim::musart
