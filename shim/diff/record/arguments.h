// What calls of calls.h are given, in the recorder's words.
#pragma once

#include "recorder.h"

namespace musashim::record {

template <class Parameters>
Launch launchOf(const Parameters& p) {
  return {p.f,
          {p.gridDimX, p.gridDimY, p.gridDimZ},
          {p.blockDimX, p.blockDimY, p.blockDimZ},
          p.sharedMemBytes,
          p.hStream,
          p.kernelParams,
          p.extra};
}

template <class Parameters>
Launch cooperativeOf(const Parameters& p) {
  return {p.f,
          {p.gridDimX, p.gridDimY, p.gridDimZ},
          {p.blockDimX, p.blockDimY, p.blockDimZ},
          p.sharedMemBytes,
          p.hStream,
          p.kernelParams,
          nullptr};
}

template <class Parameters>
Launch configuredOf(const Parameters& p) {
  const auto& c = *p.config;
  return {p.f,
          {c.gridDimX, c.gridDimY, c.gridDimZ},
          {c.blockDimX, c.blockDimY, c.blockDimZ},
          c.sharedMemBytes,
          c.hStream,
          p.kernelParams,
          p.extra};
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
