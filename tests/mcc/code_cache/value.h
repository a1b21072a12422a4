#pragma once

// The device's pass alone reads the other header.
#ifdef __MUSA_ARCH__
#include "device_value.h"
#else
__device__ int value();
#endif
