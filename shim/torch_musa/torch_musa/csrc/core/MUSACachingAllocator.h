// For extensions: memory of the caching allocator.
#pragma once

#include <functional>

#include "torch_musa/csrc/core/Allocator.h"

namespace c10::musa {
using MempoolId_t = PoolId;
}

namespace c10::musa::MUSACachingAllocator {
inline void* raw_alloc(size_t bytes) { return deviceAllocator().raw_allocate(bytes); }
inline void raw_delete(void* memory) { deviceAllocator().raw_deallocate(memory); }
inline void emptyCache() { deviceAllocator().emptyCache(); }
inline DeviceAllocator* get() { return &deviceAllocator(); }

/// Until endAllocateToPool(), what is allocated on the device for streams that pass `takes` comes from the
/// pool, which has one user more. Errors: a pool that is allocated to already, or {0, 0}.
void beginAllocateToPool(DeviceIndex device, MempoolId_t pool, std::function<bool(musaStream_t)> takes);
void endAllocateToPool(DeviceIndex device, MempoolId_t pool);
/// One user more: the pool lives on while nothing is allocated to it.
void createOrIncrefPool(DeviceIndex device, MempoolId_t pool);
int getPoolUseCount(DeviceIndex device, MempoolId_t pool);
/// One user less; a pool without users goes back to the runtime with emptyCache() once its blocks are free.
void releasePool(DeviceIndex device, MempoolId_t pool);
}  // namespace c10::musa::MUSACachingAllocator
