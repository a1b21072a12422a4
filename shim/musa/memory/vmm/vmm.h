// Virtual memory management: reserved addresses, physical memory, and where it is mapped.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "interface/physical_memory.h"
#include "musa.h"
#include "musa/api/result.h"

namespace musashim::musa {

class Context;

// Physical memory as the user holds it. It lives on while it is mapped.
struct PhysicalHandle {
  std::shared_ptr<backend::PhysicalMemory> memory;
  MUmemAllocationProp properties{};
  unsigned holds = 1;  // creations, imports and retains, less releases
};

// All functions may be called from any thread.
class Mappings {
 public:
  Result reserve(size_t bytes, size_t alignment, MUdeviceptr hint, MUdeviceptr& start);
  // The whole of what reserve() gave, with nothing mapped in it.
  Result unreserve(MUdeviceptr start, size_t bytes);

  Result map(MUdeviceptr at, size_t bytes, PhysicalHandle& handle);
  // Whole mappings. No work may use them any more.
  Result unmap(MUdeviceptr at, size_t bytes);

  // Of whole mappings, for a device by ordinal.
  Result setAccess(Context& context, MUdeviceptr at, size_t bytes, const MUmemAccessDesc* access,
                   size_t count);
  Result getAccess(int device, MUdeviceptr at, unsigned long long& flags);

  // The memory mapped at an address.
  Result find(MUdeviceptr at, PhysicalHandle*& handle);

 private:
  struct Mapping {
    size_t bytes = 0;
    std::shared_ptr<backend::PhysicalMemory> memory;
    PhysicalHandle* handle = nullptr;
    std::map<int, MUmemAccess_flags> access;  // by ordinal
  };
  using Iterator = std::map<MUdeviceptr, Mapping>::iterator;

  Result reservation(MUdeviceptr at, size_t bytes);  // fails when it is not within one
  // The mappings that make up [at, at + bytes) exactly.
  Result cover(MUdeviceptr at, size_t bytes, Iterator& first, Iterator& last);
  Result apply(Context& context, MUdeviceptr at, Mapping& mapping);

  std::mutex mutex_;
  std::map<MUdeviceptr, size_t> reserved_;
  std::map<MUdeviceptr, Mapping> mapped_;
};

}  // namespace musashim::musa
