// Where the backend tells checked programs (mcc -fmusa-check) about memory. Every
// hook is one relaxed load when nothing is checked.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "cpu/devrt/export.h"

namespace musashim::devrt::checks {

// MUSA_CHECK_* bits of abi/musa_check_abi.h; grows only.
MUSADEVRT_API extern std::atomic<uint32_t> enabled;
inline bool on() { return enabled.load(std::memory_order_relaxed) != 0; }

enum class MemoryKind : uint8_t { kDevice, kHost, kRegistered, kHeap, kVariable };

// Memory of a device, or page-locked memory, that allocations come from.
MUSADEVRT_API void addDeviceRange(const void* base, size_t bytes);
MUSADEVRT_API void removeDeviceRange(const void* base);

// `bytes` as asked for, before any rounding. Host memory counts as initialised.
MUSADEVRT_API void allocated(const void* address, size_t bytes, MemoryKind kind);
// The memory must not be handed out again soon, so that late accesses show.
MUSADEVRT_API void released(const void* address);
// Everything within [address, address + bytes) is gone: a device was reset.
MUSADEVRT_API void releasedAll(const void* address, size_t bytes);

// Copies and fills have written there.
MUSADEVRT_API void written(const void* address, size_t bytes);
// Code that is not checked runs: whatever is allocated now may be written by it.
MUSADEVRT_API void trustAll();

}  // namespace musashim::devrt::checks
