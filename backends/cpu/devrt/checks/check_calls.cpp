// The functions that checked device code calls: abi/musa_check_abi.h.
#include "abi/musa_check_abi.h"
#include "cpu/devrt/checks/check_block.h"
#include "cpu/devrt/control.h"
#include "cpu/devrt/host_thread.h"
#include "cpu/devrt/schedule.h"
#include "cpu/devrt/services/device_state.h"
#include "cpu/devrt/services/fault.h"

using namespace musashim::devrt;
using namespace musashim::devrt::checks;

namespace {

uintptr_t number(const void* address) { return reinterpret_cast<uintptr_t>(address); }

DeviceHeap& heap() { return static_cast<const GridState*>(__musa_thread.block->grid_state)->device->heap; }

}  // namespace

extern "C" {

MUSADEVRT_API void __musa_check_enable(uint32_t wanted) {
  if (enabled.fetch_or(wanted) == 0) reportAtExit();
}

MUSADEVRT_API void __musa_check_register(const MusaCheckVariable* variables, uint64_t count,
                                         uint32_t wanted) {
  __musa_check_enable(wanted);
  for (const MusaCheckVariable* at = variables; at != variables + count; ++at) {
    MemoryTable::instance().insert(number(at->address), at->bytes, MemoryKind::kVariable, at->name);
  }
}

MUSADEVRT_API void __musa_check_unregister(const MusaCheckVariable* variables, uint64_t count) {
  for (const MusaCheckVariable* at = variables; at != variables + count; ++at) {
    MemoryTable::instance().releaseWithin(number(at->address), at->bytes);
  }
}

MUSADEVRT_API void __musa_run_checked(const MusaBlockContext* block, MusaBlockFunction run,
                                      MusaBlockFunction runOrdered) {
  HostThread& host = HostThread::current();
  if (!host.checks) host.checks = std::make_unique<BlockChecksPool>();
  BlockChecks& checks = host.checks->take();
  checks.beginBlock(*block);
  (processSchedule().isForward() ? run : runOrdered)(block);
  const bool failed = checks.hasFailed();
  host.checks->give(checks);
  if (!failed) return;
  host.fault.code = musashim::StatusCode::kLaunchFailure;
  host.fault.message = kFailed;
  leaveDeviceCode(host);
}

MUSADEVRT_API void* __musa_check_access(void* address, const MusaCheckSite* site, uint32_t slot,
                                        uint32_t thread, uint64_t value, uint32_t known) {
  BlockChecks* checks = BlockChecks::current();
  return checks ? checks->access(address, *site, slot, thread, value, known != 0) : address;
}

MUSADEVRT_API void* __musa_check_shared(void* address, const MusaCheckSite* site, uint32_t thread) {
  BlockChecks* checks = BlockChecks::current();
  return checks ? checks->shared(address, *site, thread) : address;
}

MUSADEVRT_API void __musa_check_race(const void* address, const MusaCheckSite* site, uint32_t thread,
                                     uint64_t value, uint32_t known) {
  BlockChecks* checks = BlockChecks::current();
  if (checks) checks->race(number(address), *site, thread, value, known != 0);
}

MUSADEVRT_API uint64_t __musa_check_range(const void* address, uint64_t bytes, const MusaCheckSite* site,
                                          uint32_t thread) {
  BlockChecks* checks = BlockChecks::current();
  return checks ? checks->range(number(address), bytes, *site, thread) : bytes;
}

MUSADEVRT_API void* __musa_check_bounds(MUSA_CHECK_BORROWED const void* address,
                                        MUSA_CHECK_BORROWED const void* base, const MusaCheckSite* site,
                                        uint32_t thread) {
  BlockChecks* checks = BlockChecks::current();
  if (!checks) __builtin_trap();  // device code that no checked kernel calls
  return checks->outOfVariable(number(address), number(base), *site, thread);
}

MUSADEVRT_API void __musa_check_barrier(void) {
  if (BlockChecks* checks = BlockChecks::current()) checks->barrierComplete();
}

MUSADEVRT_API uint32_t __musa_check_warp(const MusaCheckSite* site, uint32_t mask, uint32_t thread) {
  BlockChecks* checks = BlockChecks::current();
  return checks ? checks->warpOperation(*site, mask, thread) : mask;
}

MUSADEVRT_API void __musa_check_leave(void) {
  if (BlockChecks* checks = BlockChecks::current()) checks->left();
}

MUSADEVRT_API void* __musa_check_malloc(uint64_t bytes) {
  void* pointer = heap().allocate(bytes);
  if (pointer) allocated(pointer, bytes, MemoryKind::kHeap);
  return pointer;
}

MUSADEVRT_API void __musa_check_free(void* pointer, const MusaCheckSite* site, uint32_t thread) {
  if (!pointer) return;
  MemoryTable& table = MemoryTable::instance();
  BlockChecks* checks = BlockChecks::current();
  Allocation* allocation = table.find(number(pointer));
  const bool valid =
      allocation && allocation->kind == MemoryKind::kHeap && allocation->base == number(pointer);
  if (!valid) {
    if (checks)
      checks->reportFree(number(pointer), table.freedAt(number(pointer)).has_value(), *site, thread);
    return;
  }
  table.release(number(pointer));
  heap().release(pointer);
}
}
