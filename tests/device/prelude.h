/* Stands in for musa_runtime.h, so that these tests need the device headers alone:
 * includes them and declares what clang's launch code looks up. */
#pragma once
#include "crt/musa_device.h"
#include "driver_types.h"

extern "C" unsigned __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                               musaStream_t stream = 0);
extern "C" musaError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                       size_t shared, musaStream_t stream);
