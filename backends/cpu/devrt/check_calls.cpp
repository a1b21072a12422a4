// The functions that checked device code calls: abi/musa_check_abi.h.
#include "abi/musa_check_abi.h"
#include "cpu/devrt/block_fibers.h"
#include "cpu/devrt/check_block.h"
#include "cpu/devrt/control.h"
#include "cpu/devrt/device_state.h"
#include "cpu/devrt/host_thread.h"

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

MUSADEVRT_API void __musa_check_enter(void) {
  HostThread* host = HostThread::currentOrNull();
  if (host && host->fibers && host->fibers->onFiber()) host->fibers->beginChecks();
}

MUSADEVRT_API void __musa_check_access(const void* address, const MusaCheckSite* site) {
  BlockChecks* checks = BlockChecks::current();
  if (checks && !checks->access(number(address), *site)) checks->endThread();
}

MUSADEVRT_API void __musa_check_store(const void* address, const MusaCheckSite* site, uint64_t value,
                                      uint32_t known) {
  BlockChecks* checks = BlockChecks::current();
  if (checks && !checks->store(number(address), *site, value, known != 0)) checks->endThread();
}

MUSADEVRT_API void __musa_check_range(const void* address, uint64_t bytes, const MusaCheckSite* site) {
  BlockChecks* checks = BlockChecks::current();
  if (checks && !checks->range(number(address), bytes, *site)) checks->endThread();
}

MUSADEVRT_API void __musa_check_bounds(const void* address, const void* base, const MusaCheckSite* site) {
  BlockChecks* checks = BlockChecks::current();
  if (!checks) __builtin_trap();  // device code that no checked kernel calls
  checks->reportOutOfVariable(number(address), number(base), *site);
  checks->endThread();
}

MUSADEVRT_API void __musa_check_barrier(const MusaCheckSite* site) {
  if (BlockChecks* checks = BlockChecks::current()) checks->atBarrier(*site);
}

MUSADEVRT_API void __musa_check_warp(const MusaCheckSite* site, uint32_t mask) {
  BlockChecks* checks = BlockChecks::current();
  if (checks && !checks->atWarpOperation(*site, mask)) checks->endThread();
}

MUSADEVRT_API void* __musa_check_malloc(uint64_t bytes, const MusaCheckSite*) {
  void* pointer = heap().allocate(bytes);
  if (pointer) allocated(pointer, bytes, MemoryKind::kHeap);
  return pointer;
}

MUSADEVRT_API void __musa_check_free(void* pointer, const MusaCheckSite* site) {
  if (!pointer) return;
  MemoryTable& table = MemoryTable::instance();
  BlockChecks* checks = BlockChecks::current();
  Allocation* allocation = table.find(number(pointer));
  const bool valid =
      allocation && allocation->kind == MemoryKind::kHeap && allocation->base == number(pointer);
  if (!valid) {
    if (checks) checks->reportFree(number(pointer), table.freedAt(number(pointer)).has_value(), *site);
    return;
  }
  table.release(number(pointer));
  heap().release(pointer);
}
}
