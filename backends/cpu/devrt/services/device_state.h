// A device's printf buffer and heap.
#pragma once

#include <cstddef>

#include "cpu/devrt/control.h"
#include "cpu/devrt/services/print_fifo.h"
#include "cpu/exec/spin_lock.h"
#include "cpu/memory/range_allocator.h"
#include "interface/device_queries.h"

namespace musashim::devrt {

// malloc() and free() of kernels: a fixed region, as on hardware.
class DeviceHeap {
 public:
  explicit DeviceHeap(size_t bytes);
  ~DeviceHeap();
  void* allocate(uint64_t bytes);  // nullptr when full
  bool release(void* pointer);     // false when no allocation begins there
  void clear();

 private:
  const size_t bytes_;
  std::byte* const base_;
  backend::cpu::SpinLock mutex_;  // shorter than a sleep
  std::unique_ptr<backend::cpu::RangeAllocator> ranges_;
};

class DeviceState {
 public:
  explicit DeviceState(const DeviceOptions& deviceOptions)
      : options(deviceOptions), printFifo(deviceOptions.printfBytes), heap(deviceOptions.heapBytes) {}

  const DeviceOptions options;
  backend::DeviceQueries queries;
  PrintFifo printFifo;
  DeviceHeap heap;
};

}  // namespace musashim::devrt
