// Memory of a device that is mapped where the user wants it, as often as wanted.
#pragma once

#include <cstddef>
#include <memory>

#include "interface/status.h"

namespace musashim::backend {

// Exists as long as someone holds it, here or in another process, or has it mapped.
class PhysicalMemory {
 public:
  virtual ~PhysicalMemory() = default;
  virtual size_t bytes() const = 0;
  virtual size_t device() const = 0;  // an index of the backend

  // A descriptor of the caller's own that stands for the memory in any process.
  virtual Status exportDescriptor(int& fd) const = 0;
};

enum class MemoryAccess { kNone, kRead, kReadWrite };

// Addresses and what lies there. Sizes and addresses are multiples of the granularity.
class AddressSpace {
 public:
  virtual ~AddressSpace() = default;

  virtual size_t granularity() const = 0;

  // kOutOfMemory when the device or the machine has no room.
  virtual Status createMemory(size_t device, size_t bytes, std::shared_ptr<PhysicalMemory>& memory) = 0;
  // kInvalidValue when `fd` is not what exportDescriptor() gave.
  virtual Status importMemory(int fd, std::shared_ptr<PhysicalMemory>& memory) = 0;

  // At `hint` if that is free. Nothing is accessible there.
  virtual Status reserve(size_t bytes, size_t alignment, void* hint, void** start) = 0;
  virtual void release(void* start, size_t bytes) = 0;

  // All of `memory`, not accessible yet; `at` was reserved. unmap(): no work may use it.
  virtual Status map(void* at, const PhysicalMemory& memory) = 0;
  virtual void unmap(void* at, size_t bytes) = 0;
  virtual Status setAccess(void* at, size_t bytes, MemoryAccess access) = 0;
};

}  // namespace musashim::backend
