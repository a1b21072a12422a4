// Allocating and freeing memory of devices and page-locked memory of the host.
#pragma once

#include <cstddef>

#include "musa/allocations.h"
#include "musa/context.h"
#include "musa/result.h"

namespace musashim::musa {

Result allocateDevice(Context& context, size_t bytes, void*& pointer, bool pooled = false);
// `kind` is kHost or kManaged.
Result allocateHost(Context& context, size_t bytes, MemoryKind kind, unsigned flags, void*& pointer);

// Both wait for all work that could still use the memory.
Result freeDevice(void* pointer);
Result freeHost(void* pointer);

// In stream order.
Result allocateAsync(Stream& stream, size_t bytes, void*& pointer);
Result freeAsync(Stream& stream, void* pointer);

}  // namespace musashim::musa
