// A device's printf buffer and heap.
#pragma once

#include <cstddef>
#include <memory>

#include "cpu/devrt/control.h"
#include "cpu/devrt/services/heap_blocks.h"
#include "cpu/devrt/services/print_fifo.h"
#include "interface/device_queries.h"

namespace musashim::devrt {

// malloc() and free() of kernels: a fixed region, as on hardware.
class DeviceHeap {
 public:
  explicit DeviceHeap(size_t bytes);
  ~DeviceHeap();
  void* allocate(uint64_t bytes);  // nullptr when full
  bool release(void* pointer);     // false when no allocation begins there
  void clear();                    // while nobody uses it

 private:
  const size_t bytes_;
  std::byte* const base_;
  std::unique_ptr<HeapBlocks> blocks_;
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
