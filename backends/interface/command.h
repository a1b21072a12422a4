// Work that a queue can hold. Plain data: whoever submits has validated it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <variant>
#include <vector>

#include "abi/musa_device_abi.h"
#include "interface/kernel.h"
#include "interface/sharing.h"
#include "interface/status.h"

namespace musashim::backend {

// A kernel's packed parameters. Small ones, the usual case, stay inline.
class ParamBuffer {
 public:
  explicit ParamBuffer(size_t bytes = 0) : size_(bytes) {
    if (bytes > sizeof inline_) heap_ = std::make_unique<std::byte[]>(bytes);
  }
  std::byte* data() { return heap_ ? heap_.get() : inline_; }
  const std::byte* data() const { return heap_ ? heap_.get() : inline_; }
  size_t size() const { return size_; }

 private:
  size_t size_;
  std::unique_ptr<std::byte[]> heap_;
  alignas(16) std::byte inline_[128];
};

// Does nothing; completes when what it waits for has.
struct Marker {};

// Copies width x height x depth bytes. Pitches and slices in bytes; a plain copy
// has height = depth = 1. Source and destination may be on any device or the host.
struct Copy {
  void* dst = nullptr;
  const void* src = nullptr;
  size_t width = 0, height = 1, depth = 1;
  size_t dstPitch = 0, dstSlice = 0;
  size_t srcPitch = 0, srcSlice = 0;
};

// Fills `width` elements of 1, 2 or 4 bytes in each of `height` rows.
struct Fill {
  void* dst = nullptr;
  uint32_t value = 0;
  uint32_t elementBytes = 1;
  size_t width = 0, height = 1;
  size_t pitch = 0;  // bytes
};

struct KernelLaunch {
  const Kernel* kernel = nullptr;
  MusaDim3 grid{1, 1, 1};
  MusaDim3 block{1, 1, 1};
  uint32_t dynamicSharedBytes = 0;
  bool cooperative = false;
  ParamBuffer params;
};

// Calls `function` on a thread of the backend (or a waiting one that helps).
// After a device fault it is skipped, unless `evenAfterFault`: then it gets the fault.
struct HostCall {
  void (*function)(void* data, const Status& deviceStatus) = nullptr;
  void* data = nullptr;
  bool evenAfterFault = false;
};

// Stores the time at which everything before it in the queue was done, in
// nanoseconds of Backend::now().
struct Timestamp {
  std::shared_ptr<std::atomic<int64_t>> slot;
};

// Marks a record of an event of several processes as reached; after a device fault
// too, as the other processes go on.
struct SignalShared {
  std::shared_ptr<SharedEvent> event;
  SharedEvent::Mark mark = 0;
};

// Waits until `mark` is reached, by whichever process.
struct AwaitShared {
  std::shared_ptr<SharedEvent> event;
  SharedEvent::Mark mark = 0;
};

// Runs commands one after the other, each as if it had been submitted by itself: a stretch of
// a graph that is launched again and again.
struct CommandVector;
struct Sequence {
  std::shared_ptr<const CommandVector> commands;
};

using Command = std::variant<Marker, Copy, Fill, KernelLaunch, HostCall, Timestamp, SignalShared,
                             AwaitShared, Sequence>;

struct CommandVector {
  std::vector<Command> commands;
};

}  // namespace musashim::backend
