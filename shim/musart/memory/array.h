// Arrays: the runtime's words for the driver's.
#pragma once

#include "musart/api/runtime.h"

namespace musashim::musart {

// Both APIs have the same handles.
inline MUarray toDriver(musaArray_const_t array) {
  return reinterpret_cast<MUarray>(const_cast<musaArray_t>(array));
}
inline MUmipmappedArray toDriver(musaMipmappedArray_const_t array) {
  return reinterpret_cast<MUmipmappedArray>(const_cast<musaMipmappedArray_t>(array));
}

// A format as the driver has it; channels must be alike and without gaps.
musaError_t driverFormat(const struct musaChannelFormatDesc& desc, MUarray_format& format,
                         unsigned& channels);
struct musaChannelFormatDesc runtimeFormat(MUarray_format format, unsigned channels);

musaError_t elementBytes(musaArray_const_t array, size_t& bytes);

}  // namespace musashim::musart
