// For extensions: memory of the caching allocator.
#pragma once

#include "torch_musa/csrc/core/Allocator.h"

namespace c10::musa::MUSACachingAllocator {
inline void* raw_alloc(size_t bytes) { return deviceAllocator().raw_allocate(bytes); }
inline void raw_delete(void* memory) { deviceAllocator().raw_deallocate(memory); }
inline void emptyCache() { deviceAllocator().emptyCache(); }
inline DeviceAllocator* get() { return &deviceAllocator(); }
}  // namespace c10::musa::MUSACachingAllocator
