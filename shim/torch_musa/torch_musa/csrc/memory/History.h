// What the allocator did on a device, each with the stack that asked for it: what
// torch.musa.memory._record_memory_history() turns on and _snapshot() tells.
#pragma once

#include <c10/core/Allocator.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>

#include "torch_musa/csrc/core/Capture.h"
#include "torch_musa/csrc/core/Device.h"

namespace c10::musa {

using Stack = std::shared_ptr<c10::GatheredContext>;  // a torch::CapturedTraceback

// Which calls have their stacks kept: none, those for memory that is held, those that take memory, all.
enum class Stacks : std::uint8_t { kNone, kState, kAlloc, kAll };

struct HistorySettings {
  bool events = false;  // or the stacks of blocks alone
  Stacks stacks = Stacks::kNone;
  bool native = false;  // stacks have C++ functions, too
  std::size_t limit = std::numeric_limits<std::size_t>::max();
};

struct Happening {
  const char* action;   // by the names of torch.cuda's traces
  std::size_t address;  // of "oom": the device's free bytes
  std::size_t size;
  StreamId stream;
  PoolId pool;
  Stack stack;
  std::int64_t microseconds = 0;  // since the epoch
};

class History {
 public:
  void add(Happening happening);
  void clear() { happenings_.clear(); }
  const std::deque<Happening>& happenings() const { return happenings_; }

 private:
  std::deque<Happening> happenings_;  // the oldest are dropped beyond the limit
};

// For all devices.
HistorySettings historySettings();
void setHistorySettings(const HistorySettings& settings);
// The caller's stack if stacks of such calls are kept, or null. It may wait for Python's lock, so no lock is
// held here.
Stack stackFor(Stacks calls);

}  // namespace c10::musa
