// What ported extensions include for ATen/cuda/CUDAContext.h.
#pragma once

#include "torch_musa/csrc/aten/musa/Handles.h"
#include "torch_musa/csrc/core/MUSAFunctions.h"
#include "torch_musa/csrc/core/MUSAGuard.h"

namespace at::musa {

inline int64_t warp_size() {
  int size = 0;
  C10_MUSA_CHECK(musaDeviceGetAttribute(&size, musaDevAttrWarpSize, c10::musa::current_device()));
  return size;
}
inline musaDeviceProp* getCurrentDeviceProperties() {
  static thread_local musaDeviceProp properties;
  C10_MUSA_CHECK(musaGetDeviceProperties(&properties, c10::musa::current_device()));
  return &properties;
}

}  // namespace at::musa
