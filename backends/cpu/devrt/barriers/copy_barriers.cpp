// Barriers that count warps that come and bytes that are copied.
#include <fmt/format.h>

#include "cpu/devrt/barriers/named_barriers.h"
#include "cpu/devrt/export.h"
#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/host_thread.h"
#include "cpu/devrt/services/fault.h"

namespace musashim::devrt {

NamedBarriers::CopyBarrier& NamedBarriers::copiesOf(uint32_t id) {
  if (id >= copies_.size())
    raiseFault(StatusCode::kLaunchFailure,
               fmt::format("a block has the barriers of copies 0 to {}, not one of number {}",
                           copies_.size() - 1, id));
  if (copies_[id].warps == 0)
    raiseFault(StatusCode::kLaunchFailure,
               fmt::format("nobody has said how many warps the barrier {} of copies waits for", id));
  return copies_[id];
}

void NamedBarriers::setCopies(uint32_t id, uint32_t warps, uint32_t phase) {
  if (warps == 0)
    raiseFault(StatusCode::kLaunchFailure,
               fmt::format("the barrier {} of copies is to wait for no warp", id));
  used_ = true;
  if (id < copies_.size()) copies_[id].warps = warps;
  copiesOf(id) = {warps, phase % 2, 0, 0};
}

void NamedBarriers::expectBytes(uint32_t id, uint32_t bytes) { copiesOf(id).bytes += bytes; }

bool NamedBarriers::completeBytes(uint32_t id, uint32_t bytes) {
  CopyBarrier& barrier = copiesOf(id);
  barrier.bytes -= bytes;
  return endIfOver(barrier);
}

uint32_t NamedBarriers::phaseOfCopies(uint32_t id) { return copiesOf(id).phase % 2; }

bool NamedBarriers::arriveAtCopies(uint32_t id) {
  CopyBarrier& barrier = copiesOf(id);
  ++barrier.arrived;
  return endIfOver(barrier);
}

bool NamedBarriers::endIfOver(CopyBarrier& barrier) {
  if (barrier.arrived < barrier.warps || barrier.bytes != 0) return false;
  barrier.arrived = 0;
  ++barrier.phase;
  Threads all{};
  for (uint32_t group = 0; group < kGroups; ++group) all[group] = threadsOf(group);
  order(all);
  return true;
}

namespace {

// Those who wait may be fibers.
void release() {
  HostThread& host = HostThread::current();
  if (host.fibers && host.fibers->onFiber()) host.fibers->releaseNamed();
}

}  // namespace

}  // namespace musashim::devrt

extern "C" {

MUSADEVRT_API void __musa_copy_barrier_set(uint32_t id, uint32_t warps, uint32_t phase, uint32_t threads) {
  using namespace musashim::devrt;
  if (!HostThread::current().barriers) namedBarriers().begin(threads);
  namedBarriers().setCopies(id, warps, phase);
}

MUSADEVRT_API void __musa_copy_barrier_expect(uint32_t id, uint32_t bytes) {
  musashim::devrt::namedBarriers().expectBytes(id, bytes);
}

MUSADEVRT_API void __musa_copy_barrier_complete(uint32_t id, uint32_t bytes) {
  if (musashim::devrt::namedBarriers().completeBytes(id, bytes)) musashim::devrt::release();
}

MUSADEVRT_API void __musa_copy_barrier_arrive(uint32_t id) {
  if (musashim::devrt::namedBarriers().arriveAtCopies(id)) musashim::devrt::release();
}

MUSADEVRT_API uint32_t __musa_copy_barrier_phase(uint32_t id) {
  return musashim::devrt::namedBarriers().phaseOfCopies(id);
}
}
