#include "cpu/devrt/services/fault.h"

#include "cpu/devrt/barriers/named_barriers.h"
#include "cpu/devrt/checks/check_block.h"
#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/fibers/grid_fibers.h"
#include "cpu/devrt/metrics/metrics_block.h"
#include "cpu/devrt/matrices/warp_exchange.h"
#include "cpu/devrt/units/unit_scratch.h"

namespace musashim::devrt {

namespace {

__thread HostThread* currentThread __attribute__((tls_model("initial-exec"))) = nullptr;

// Frees the state of threads that end; after it ran, a late user gets a new one.
struct Reaper {
  ~Reaper() {
    delete currentThread;
    currentThread = nullptr;
  }
};

}  // namespace

HostThread::HostThread() = default;
HostThread::~HostThread() { discardSignalStack(*this); }

HostThread* HostThread::currentOrNull() { return currentThread; }

HostThread& HostThread::current() {
  if (!currentThread) {
    thread_local Reaper reaper;
    (void)reaper;
    currentThread = new HostThread;
    prepareSignals(*currentThread);
  }
  return *currentThread;
}

void leaveDeviceCode(HostThread& thread) {
  thread.inDeviceCode = 0;
  // From a fiber, the way out leads over the stack that started it.
  if (thread.fibers && thread.fibers->onFiber()) thread.fibers->abandonBlock();
  if (thread.grid && thread.grid->onFiber()) thread.grid->abandon();
  _longjmp(thread.recovery, 1);
}

void raiseFault(StatusCode code, std::string message) {
  HostThread& thread = HostThread::current();
  thread.fault.code = code;
  {
    // The jump skips destructors: what the fault held before must go now.
    std::string text = std::move(message);
    thread.fault.message.swap(text);
  }
  thread.fault.threadKnown = __musa_thread.linear_idx != UINT32_MAX;
  thread.fault.thread = __musa_thread.thread_idx;
  leaveDeviceCode(thread);
}

}  // namespace musashim::devrt
