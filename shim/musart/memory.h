// Copies by direction, shared by the entries that copy.
#pragma once

#include "musart/runtime.h"

namespace musashim::musart {

musaError_t copy(void* dst, const void* src, size_t count, enum musaMemcpyKind kind);
musaError_t copyAsync(void* dst, const void* src, size_t count, enum musaMemcpyKind kind,
                      musaStream_t stream);

}  // namespace musashim::musart
