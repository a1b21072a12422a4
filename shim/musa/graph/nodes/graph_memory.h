// Memory of allocation nodes: one address for all launches, alive in parts of them.
//
// The memory itself is taken when the node is made and given back when the last graph and
// executable graph with the node are gone. In between it is either allocated (from the launch
// of a graph with the allocation node to a free) or not, which launches check and the device's
// figures show. Unlike on hardware, allocations of several graphs never share memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>

#include "musa.h"
#include "musa/api/result.h"

namespace musashim::musa {

class Context;
class DeviceState;
class GraphMemory;

// Of one device. "Reserved" is memory whose pages launches may have touched.
class GraphMemoryUse {
 public:
  Result get(MUgraphMem_attribute attribute, uint64_t& value) const;
  Result reset(MUgraphMem_attribute attribute);  // a high mark
  void trim();                                   // what is not allocated counts as reserved no more

 private:
  friend class GraphMemory;
  void changeUsed(int64_t bytes);
  void changeReserved(int64_t bytes);

  mutable std::mutex mutex_;
  std::set<GraphMemory*> all_;
  uint64_t used_ = 0, usedHigh_ = 0, reserved_ = 0, reservedHigh_ = 0;
};

class GraphMemory {
 public:
  static Result create(Context& context, size_t bytes, std::shared_ptr<GraphMemory>& memory);
  ~GraphMemory();

  MUdeviceptr address() const { return address_; }
  size_t bytes() const { return bytes_; }
  bool isAllocated() const;
  // Both false when it is so already.
  bool allocate();
  bool free();

  // The live graph memory that begins at `address`, if any.
  static std::shared_ptr<GraphMemory> find(MUdeviceptr address);

 private:
  friend class GraphMemoryUse;
  GraphMemory(Context& context, MUdeviceptr address, size_t bytes);

  DeviceState& device_;
  const MUdeviceptr address_;
  const size_t bytes_;
  uint64_t allocationId_ = 0;
  bool allocated_ = false, reserved_ = false;  // with the device's mutex
};

}  // namespace musashim::musa
