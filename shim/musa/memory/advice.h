// What managed memory was advised: kept and given back. All of it is one storage that
// host and devices share, so nothing moves.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "musa.h"
#include "musa/api/result.h"
#include "musa/memory/allocations.h"

namespace musashim::musa {

// The managed allocation that [address, address + bytes) lies in.
Result findManaged(MUdeviceptr address, size_t bytes, Allocation& allocation);
// Somewhere that managed memory can be advised to be.
Result checkPlace(const MUmemLocation& place);

struct Advice {
  bool readMostly = false;
  MUmemLocation preferred{MU_MEM_LOCATION_TYPE_INVALID, MU_DEVICE_INVALID};
  MUmemLocation prefetched{MU_MEM_LOCATION_TYPE_INVALID, MU_DEVICE_INVALID};
  std::vector<int> accessedBy;  // ordinals; MU_DEVICE_CPU for the host
};

// Advice by range of managed allocations. All functions may be called from any thread.
class AdviceTable {
 public:
  // `change` is applied to all of [address, address + bytes) of `allocation`.
  template <class Change>
  void apply(const Allocation& allocation, uintptr_t address, size_t bytes, Change&& change) {
    std::lock_guard lock(mutex_);
    Parts& parts = partsOf(allocation);
    split(parts, address);
    split(parts, address + bytes);
    for (auto part = parts.find(address); part != parts.end() && part->first < address + bytes; ++part) {
      change(part->second);
    }
  }

  // The allocation is gone.
  void forget(const Allocation& allocation);

  // The advice of every part of the range.
  std::vector<Advice> of(const Allocation& allocation, uintptr_t address, size_t bytes);

 private:
  using Parts = std::map<uintptr_t, Advice>;  // by where they begin; each reaches to the next
  Parts& partsOf(const Allocation& allocation);
  static void split(Parts& parts, uintptr_t at);

  std::mutex mutex_;
  std::map<uint64_t, Parts> byId_;  // of allocations
};

}  // namespace musashim::musa
