// What a host thread needs while it runs device code.
#pragma once

#include <setjmp.h>

#include <csignal>
#include <cstdint>
#include <memory>
#include <string>

#include "abi/musa_device_abi.h"
#include "interface/status.h"

namespace musashim::devrt {

namespace checks {
class BlockChecksPool;
}
namespace metrics {
class BlockMetrics;
}
class BlockFibers;
class GridFibers;
class NamedBarriers;
struct UnitScratch;
struct WarpExchange;

// A fault as the place that saw it describes it; runBlocks() adds kernel and block.
struct PendingFault {
  StatusCode code = StatusCode::kOk;
  std::string message;       // faults that the runtime raises
  int signal = 0;            // or those that the processor raised: number,
  uintptr_t address = 0;     // address accessed or of the instruction
  bool isProtected = false;  // there is memory, but of a device that is not to be touched from here
  bool threadKnown = false;
  MusaDim3 thread{0, 0, 0};
};

struct HostThread {
  HostThread();
  ~HostThread();
  HostThread(const HostThread&) = delete;
  HostThread& operator=(const HostThread&) = delete;

  // True exactly while device code runs: only then is a signal a device fault.
  volatile std::sig_atomic_t inDeviceCode = 0;
  jmp_buf recovery;             // where runBlocks() goes on after a fault
  uintptr_t recoveryStack = 0;  // stack pointer there
  PendingFault fault;
  // Of the block that runs, each made when a kernel first needs it.
  std::unique_ptr<BlockFibers> fibers;
  std::unique_ptr<UnitScratch> units;
  std::unique_ptr<WarpExchange> exchange;
  std::unique_ptr<NamedBarriers> barriers;
  std::unique_ptr<GridFibers> grid;
  std::unique_ptr<checks::BlockChecksPool> checks;
  std::unique_ptr<metrics::BlockMetrics> metrics;
  uint32_t shortWaits = 0;      // that device code has asked for
  void* signalStack = nullptr;  // ours, when the thread had none

  static HostThread& current();        // makes it on first use
  static HostThread* currentOrNull();  // safe in signal handlers
};

}  // namespace musashim::devrt
