// Allocating and freeing memory of devices and page-locked memory of the host.
#pragma once

#include <cstddef>

#include "interface/sharing.h"
#include "musa/api/result.h"
#include "musa/context/context.h"
#include "musa/memory/allocations.h"

namespace musashim::musa {

Result allocateDevice(Context& context, size_t bytes, void*& pointer, Pool* pool = nullptr);
// `kind` is kHost or kManaged.
Result allocateHost(Context& context, size_t bytes, MemoryKind kind, unsigned flags, void*& pointer);

// Both wait for all work that could still use the memory.
Result freeDevice(void* pointer);
Result freeHost(void* pointer);

// In stream order.
Result allocateAsync(Stream& stream, size_t bytes, Pool& pool, void*& pointer);
Result freeAsync(Stream& stream, void* pointer);

// Memory of another process's pool; freed as memory of this process's.
Result importIntoPool(Context& context, Pool& pool, const backend::ShareTicket& ticket, MUdeviceptr& address);

}  // namespace musashim::musa
