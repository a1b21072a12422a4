// The fibers of one host thread: stacks with guard pages, committed as they are
// used, kept from block to block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "abi/musa_device_abi.h"
#include "cpu/devrt/fibers/fiber_jump.h"
#include "cpu/devrt/fibers/sanitizer_fibers.h"

namespace musashim::devrt {

struct WarpRecord;

enum class Waiting : uint8_t { kNo, kBarrier, kWarp, kActiveMask, kConvergence, kStep, kNamed };

struct Fiber {
  FiberContext context = nullptr;  // nullptr: begins anew
  MusaDim3 threadIdx{0, 0, 0};
  uint32_t index = 0;  // linear
  Waiting waiting = Waiting::kNo;
  bool running = false;          // in the middle of a device thread
  bool failed = false;           // its assertion has
  bool left = false;             // its thread has ended in the middle of a function
  WarpRecord* record = nullptr;  // waiting or woken in a warp operation
  const void* site = nullptr;    // of __musa_activemask
  uint32_t activeMask = 0;       // its result
  // Of the calls it is in (__musa_converge_enter), and where it waits to converge.
  std::vector<uint32_t> ranks;
  uint32_t barrier = 0, phase = 0;  // of a numbered barrier at which it waits
  char* stackTop = nullptr;
  SanitizerContext sanitizer;
};

class FiberPool {
 public:
  static constexpr uint32_t kMaxFibers = 1024;  // threads of a block

  explicit FiberPool(size_t stackBytes, uint32_t maxFibers = kMaxFibers);
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  // Makes fibers 0 .. count-1 ready for use. False when memory is short, or beyond maxFibers.
  bool grow(uint32_t count);
  Fiber& operator[](uint32_t index) { return fibers_[index]; }

  bool isGuard(uintptr_t address) const;
  bool isStack(uintptr_t address) const;  // of any fiber, guards included
  size_t stackBytes() const { return stackBytes_; }
  size_t maxFibers() const { return fibers_.size(); }

 private:
  const size_t stackBytes_;  // whole pages, guard not counted
  size_t slotBytes_;
  char* stacks_ = nullptr;
  uint32_t ready_ = 0;
  std::vector<Fiber> fibers_;
};

}  // namespace musashim::devrt
