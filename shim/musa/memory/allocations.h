// Every range of memory the driver knows, by address: all devices and the host share
// one address space (unified addressing).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <vector>

namespace musashim::musa {

class Context;
struct Pool;

enum class MemoryKind {
  kPageable,    // unknown to the driver: ordinary host memory
  kDevice,      // of one device
  kVariable,    // a __device__ variable of a loaded module
  kHost,        // page-locked, allocated here
  kRegistered,  // page-locked, the user's
  kManaged,
};

struct Allocation {
  uintptr_t base = 0;
  size_t size = 0;
  MemoryKind kind = MemoryKind::kPageable;
  Context* context = nullptr;
  int device = -1;
  unsigned flags = 0;
  uint64_t id = 0;
  bool pooled = false;    // allocated in stream order
  Pool* pool = nullptr;   // and from which pool; null for memory of graphs
  bool freeing = false;   // a stream-ordered free is on its way
  bool imported = false;  // another process's
  bool ofGraph = false;   // of a graph's allocation node (graph/nodes/graph_memory.h)
  bool mapped = false;    // physical memory mapped here (vmm.h); what lies behind may go on in the next
  bool writable = true;
  bool syncMemops = false;  // copies and fills of it wait, whatever they say

  bool isDevice() const { return kind == MemoryKind::kDevice || kind == MemoryKind::kVariable; }
  bool isPinnedHost() const { return kind == MemoryKind::kHost || kind == MemoryKind::kRegistered; }
  bool contains(uintptr_t address, size_t bytes) const {
    return address >= base && bytes <= size && address - base <= size - bytes;
  }
};

class AllocationTable {
 public:
  // Zero-sized variables take one byte of addresses. Returns the allocation's id.
  uint64_t insert(Allocation allocation);
  // The allocation that holds `address`, if any. Takes no lock when the thread made it or asked for it
  // before and nothing has changed since.
  std::optional<Allocation> find(uintptr_t address) const;
  // The same without a copy: valid until the calling thread's next call of this class. Null: none.
  const Allocation* peek(uintptr_t address) const {
    const uint64_t version = version_.load(std::memory_order_acquire);
    for (const Found& found : recent_) {
      if (found.version == version && found.allocation.contains(address, 1)) return &found.allocation;
    }
    return search(address);
  }
  // True when the range lies in `allocation`, or in it and mapped memory that follows without a gap.
  bool contains(const Allocation& allocation, uintptr_t address, size_t bytes) const;
  // True when any part of the range is known.
  bool overlaps(uintptr_t address, size_t size) const;
  // Removes the allocation that starts at `address`; false when there is none.
  bool erase(uintptr_t address);
  // Marks it as being freed; false when it is not there or already marked.
  bool markFreeing(uintptr_t address);
  // Of the device memory that holds `address`; false when there is none.
  bool setSyncMemops(uintptr_t address, bool wait);
  // Takes out all that belong to `context`.
  std::vector<Allocation> extract(const Context* context);

 private:
  // What a thread found last: both sides of a copy, say.
  struct Found {
    uint64_t version = 0;
    Allocation allocation;
  };
  static constinit thread_local Found recent_[2];
  static constinit thread_local unsigned oldest_;

  static const Allocation* remember(uint64_t version, const Allocation& allocation);
  const Allocation* search(uintptr_t address) const;  // with the lock

  using Ranges = std::map<uintptr_t, Allocation>;  // by base

  void changed();  // with mutex_

  mutable std::shared_mutex mutex_;
  Ranges ranges_;
  Ranges::node_type spare_;  // of the last removal, for the next insertion
  uint64_t nextId_ = 1;
  std::atomic<uint64_t> version_{0};  // no two states of any tables have the same
};

}  // namespace musashim::musa
