// Copies by direction, shared by the entries that copy.
#pragma once

#include "musart/api/runtime.h"

namespace musashim::musart {

musaError_t copy(void* dst, const void* src, size_t count, enum musaMemcpyKind kind);
// [offset, offset + count) of a variable of device code, for a copy to or from it.
enum class Direction { kTo, kFrom };
musaError_t symbolRange(const void* symbol, size_t count, size_t offset, enum musaMemcpyKind kind,
                        Direction direction, void*& address);

// The driver's words for a copy of three dimensions.
musaError_t driverCopy(const struct musaMemcpy3DParms* params, MUSA_MEMCPY3D& copy);

musaError_t copyAsync(void* dst, const void* src, size_t count, enum musaMemcpyKind kind,
                      musaStream_t stream);

}  // namespace musashim::musart
