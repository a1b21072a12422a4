// Steps: where mcc has the threads of a block wait for each other because the source counts on its warps'
// going about in step.
#include <algorithm>
#include <bit>
#include <utility>

#include "cpu/devrt/export.h"
#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/host_thread.h"

namespace musashim::devrt {

// Threads at a step go on when no other thread of the block can run but those that only poll: what they poll
// for may be up to a thread that waits here. MUSASHIM_SCHEDULE shows who counts on steps.
void BlockFibers::step() {
  if (!schedule_.isForward()) return;
  for (Group& group : groupsOfBlock()) group.polled = 0;
  groups_[current_->index / 32].atStep |= 1u << (current_->index % 32);
  ++atStep_;
  block(Waiting::kStep);
}

void BlockFibers::resolveStep() {
  if (atStep_ == 0) return;
  for (const Group& group : groupsOfBlock()) {
    if ((group.live & ~group.blocked & ~group.polled) != 0) return;
  }
  // Lanes that others of their warp wait for at convergence points are behind those, and go on first.
  const auto isWaitedFor = [&](const Group& group) {
    const auto index = static_cast<uint32_t>(&group - groups_.data());
    return group.atStep != 0 &&
           std::ranges::any_of(warpOf(index), [](const Group& other) { return other.atConvergence != 0; });
  };
  const bool someFirst = std::ranges::any_of(groupsOfBlock(), isWaitedFor);
  for (Group& group : groupsOfBlock()) {
    if (someFirst && !isWaitedFor(group)) continue;
    atStep_ -= static_cast<uint32_t>(std::popcount(group.atStep));
    const auto first = static_cast<uint32_t>(&group - groups_.data()) * 32;
    for (uint32_t bits = std::exchange(group.atStep, 0); bits != 0; bits &= bits - 1)
      makeReady(pool_[first + static_cast<uint32_t>(std::countr_zero(bits))]);
  }
}

}  // namespace musashim::devrt

extern "C" MUSADEVRT_API void __musa_step(void) {
  if (musashim::devrt::BlockFibers* fibers = musashim::devrt::fibersOrNull()) fibers->step();
}
