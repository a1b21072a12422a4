// The way into device code, and out of it.
#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "cpu/devrt/block_order.h"
#include "cpu/devrt/checks/check_block.h"
#include "cpu/devrt/control.h"
#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/fibers/grid_fibers.h"
#include "cpu/devrt/metrics/metrics_block.h"
#include "cpu/devrt/schedule.h"
#include "cpu/devrt/services/assertions.h"
#include "cpu/devrt/services/device_state.h"
#include "cpu/devrt/services/fault.h"

extern "C" {
MUSADEVRT_API uint64_t __musa_past_caches_bytes = UINT64_MAX;
MUSADEVRT_API uint64_t __musa_blocks_onward_bytes = 4 << 10;
MUSADEVRT_API uint64_t __musa_warps_onward_bytes = 12 << 10;
MUSADEVRT_API uint64_t __musa_follows_instructions = 0;
MUSADEVRT_API __thread MusaThreadState __musa_thread __attribute__((tls_model("initial-exec")));
}

namespace musashim::devrt {

namespace {

std::atomic<bool> wideKernels{false};

// AVX-512 versions do not do it themselves: that would cost each block (how much: mcc's multiversioning.cpp).
#ifdef __x86_64__
__attribute__((target("avx"))) void clearUpperVectors() { __builtin_ia32_vzeroupper(); }
#else
void clearUpperVectors() {}
#endif

// Streaming stores of blocks are visible to all who see that the blocks have ended.
void waitForWrites() {
#ifdef __x86_64__
  __builtin_ia32_sfence();
#endif
}

void afterBlocks() {
  __musa_thread.block = nullptr;
  waitForWrites();
  if (wideKernels.load(std::memory_order_relaxed)) clearUpperVectors();
}

std::string signalText(const HostThread& thread) {
  const PendingFault& fault = thread.fault;
  switch (fault.signal) {
    case SIGFPE:
      return fmt::format("integer division by zero or overflow at instruction {:#x}", fault.address);
    case SIGILL:
      return fmt::format("illegal instruction at {:#x}", fault.address);
    case SIGTRAP:
      return "breakpoint or trap instruction";
    default:
      break;
  }
  if ((thread.fibers && thread.fibers->pool().isGuard(fault.address)) ||
      (thread.grid && thread.grid->isGuard(fault.address))) {
    return fmt::format(
        "stack overflow of a device thread (address {:#x}; MUSASHIM_FIBER_STACK_KIB sets the size)",
        fault.address);
  }
  // The processor does not report addresses that no mapping can have.
  if (fault.address == 0) return "access to an illegal address (null or out of the address space)";
  if (fault.isProtected) {
    return fmt::format("access to {:#x}, memory of a device to which this one has no peer access",
                       fault.address);
  }
  return fmt::format("access to illegal address {:#x}", fault.address);
}

Status faultStatus(const HostThread& thread, const MusaBlockContext& context, const MusaKernelInfo& kernel) {
  const PendingFault& fault = thread.fault;
  std::string where = fmt::format("kernel {} block [{},{},{}]", kernel.name, context.block_idx.x,
                                  context.block_idx.y, context.block_idx.z);
  if (fault.threadKnown) {
    where += fmt::format(" thread [{},{},{}]", fault.thread.x, fault.thread.y, fault.thread.z);
  }
  std::string what = fault.signal != 0 ? signalText(thread) : fault.message;
  return {fault.code, fmt::format("{}: {}", where, what)};
}

void toNextBlock(MusaBlockContext& context) {
  if (++context.block_idx.x < context.grid_dim.x) return;
  context.block_idx.x = 0;
  if (++context.block_idx.y < context.grid_dim.y) return;
  context.block_idx.y = 0;
  ++context.block_idx.z;
}

// Another order of blocks than the linear one: which block comes at `position`.
void toScheduledBlock(MusaBlockContext& context, uint64_t position) {
  const MusaDim3& grid = context.grid_dim;
  const uint64_t count = uint64_t{grid.x} * grid.y * grid.z;
  const uint64_t block = position < count ? scheduledBlock(processSchedule(), position, count) : position;
  context.block_idx = {static_cast<uint32_t>(block % grid.x), static_cast<uint32_t>(block / grid.x % grid.y),
                       static_cast<uint32_t>(block / grid.x / grid.y)};
}

uint64_t positionOf(const MusaBlockContext& context) {
  const MusaDim3 &at = context.block_idx, &grid = context.grid_dim;
  return at.x + uint64_t{grid.x} * (at.y + uint64_t{grid.y} * at.z);
}

// Blocks may be short, and wait for memory: each instruction between them keeps loads of later ones out of
// the processor's sight.
void runInOrder(MusaBlockContext& context, MusaBlockFunction run, uint64_t count) {
  for (; count > 0; --count) {
    __musa_thread.linear_idx = UINT32_MAX;  // not known unless the kernel sets it
    run(&context);
    toNextBlock(context);
  }
}

// In the order, and with the shared memory, that the environment asks for.
void runScheduled(MusaBlockContext& context, MusaBlockFunction run, uint64_t count) {
  for (uint64_t position = positionOf(context); count > 0; --count) {
    toScheduledBlock(context, position++);
    if (clearsShared()) clearShared(context);
    __musa_thread.linear_idx = UINT32_MAX;
    run(&context);
  }
}

// Apart from runBlocks(): nothing here lives in a register across the return from setjmp.
__attribute__((noinline)) void runProtected(HostThread& thread, MusaBlockContext& context,
                                            const MusaKernelInfo& kernel, uint64_t count) {
  thread.recoveryStack = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  __musa_thread.block = &context;
  thread.inDeviceCode = 1;
  const bool usual = processSchedule().isForward() && !clearsShared();
  const auto run = usual ? runInOrder : runScheduled;
  run(context, blockFunction(kernel), count);
  thread.inDeviceCode = 0;
}

// In the order that MUSASHIM_SCHEDULE asks for.
class ScheduledSource final : public BlockSource {
 public:
  explicit ScheduledSource(BlockSource& source) : source_(source) {}
  bool next(MusaBlockContext& context) override {
    if (!source_.next(context)) return false;
    if (!processSchedule().isForward()) toScheduledBlock(context, positionOf(context));
    if (clearsShared()) clearShared(context);
    return true;
  }
  void countEnd() override { source_.countEnd(); }
  uint64_t ends() const override { return source_.ends(); }
  bool hasFailed() const override { return source_.hasFailed(); }

 private:
  BlockSource& source_;
};

// What `run` says of the thread's grid: whether it is sound.
template <typename Run>
Status runGridFibers(const MusaKernelInfo& kernel, Run run) {
  HostThread& thread = HostThread::current();
  if (!thread.grid) thread.grid = std::make_unique<GridFibers>(thread);
  thread.inDeviceCode = 1;
  const bool sound = run(*thread.grid);
  thread.inDeviceCode = 0;
  afterBlocks();
  if (sound) return Status::ok();
  takeAssertion(thread);
  Status status = faultStatus(thread, thread.grid->faultBlock(), kernel);
  thread.fault = {};
  if (thread.checks) thread.checks->reset();
  if (metrics::current) std::exchange(metrics::current, nullptr)->drop();
  return status;
}

}  // namespace

void useWideKernels(bool use) { wideKernels.store(use, std::memory_order_relaxed); }

void writePastCaches(uint64_t bytes) {
  __atomic_store_n(&__musa_past_caches_bytes, bytes, __ATOMIC_RELAXED);  // backends may be made side by side
}

void askOnward(uint64_t blocksBytes, uint64_t warpsBytes) {
  __atomic_store_n(&__musa_blocks_onward_bytes, blocksBytes, __ATOMIC_RELAXED);
  __atomic_store_n(&__musa_warps_onward_bytes, warpsBytes, __ATOMIC_RELAXED);
}

void readRowsByLoops(bool read) {
  __atomic_store_n(&__musa_follows_instructions, uint64_t{read}, __ATOMIC_RELAXED);
}

MusaBlockFunction blockFunction(const MusaKernelInfo& kernel) {
  const bool wide = kernel.wide_entry != nullptr && wideKernels.load(std::memory_order_relaxed);
  return wide ? kernel.wide_entry : kernel.entry;
}

bool runsBlocksInOrder() { return processSchedule().isForward(); }

const char* runningKernel() {
  const MusaBlockContext* const block = __musa_thread.block;
  return block != nullptr ? static_cast<const GridState*>(block->grid_state)->kernel->name : nullptr;
}

Status runBlocks(MusaBlockContext& context, const MusaKernelInfo& kernel, uint64_t count) {
  HostThread& thread = HostThread::current();
  if (_setjmp(thread.recovery) == 0) {
    runProtected(thread, context, kernel, count);
    afterBlocks();
    return Status::ok();
  }
  afterBlocks();
  takeAssertion(thread);
  Status status = faultStatus(thread, context, kernel);
  thread.fault = {};
  if (thread.checks) thread.checks->reset();
  if (metrics::current) std::exchange(metrics::current, nullptr)->drop();
  return status;
}

Status runTogether(const MusaBlockContext& context, const MusaKernelInfo& kernel, uint32_t count,
                   size_t sharedBytes) {
  return runGridFibers(kernel,
                       [&](GridFibers& grid) { return grid.run(context, kernel, count, sharedBytes); });
}

Status runInTurns(BlockSource& source, const GridState& grid, size_t sharedBytes, bool alone) {
  ScheduledSource scheduled(source);
  return runGridFibers(*grid.kernel, [&](GridFibers& fibers) {
    return fibers.runInTurns(scheduled, grid, sharedBytes, alone);
  });
}

}  // namespace musashim::devrt

extern "C" MUSADEVRT_API void __musa_run_fibers(const MusaBlockContext* block, MusaThreadFunction thread) {
  using namespace musashim::devrt;
  HostThread& host = HostThread::current();
  if (!host.fibers) {
    const auto* grid = static_cast<const GridState*>(block->grid_state);
    host.fibers = std::make_unique<BlockFibers>(grid->device->options.fiberStackBytes);
  }
  if (!host.fibers->run(*block, thread)) leaveDeviceCode(host);
}
