// What calls of calls.h are given, in the recorder's words.
#pragma once

#include "recorder.h"

namespace musashim::record {

// `shape` has the grid, the block and what else a launch is configured by.
template <class Parameters, class Shape>
Launch launchOf(const Parameters& p, const Shape& shape) {
  void** extra = nullptr;
  if constexpr (requires { p.extra; }) extra = p.extra;
  return {p.f,
          {shape.gridDimX, shape.gridDimY, shape.gridDimZ},
          {shape.blockDimX, shape.blockDimY, shape.blockDimZ},
          shape.sharedMemBytes,
          shape.hStream,
          p.kernelParams,
          extra};
}

// Where a copy of a box goes to; null for an array, whose content is not recorded.
template <class Box>
const void* targetOf(const Box& box) {
  if (box.dstMemoryType == ENUM(MEMORYTYPE_HOST)) return box.dstHost;
  return box.dstMemoryType == ENUM(MEMORYTYPE_ARRAY) ? nullptr : reinterpret_cast<const void*>(box.dstDevice);
}

template <class Box>
size_t bytesOf(const Box& box) {
  if constexpr (requires { box.Depth; })
    return box.WidthInBytes * box.Height * box.Depth;
  else
    return box.WidthInBytes * box.Height;
}

}  // namespace musashim::record
