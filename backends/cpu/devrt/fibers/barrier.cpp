// __syncthreads and its reductions, and the barrier of the grid.
#include <utility>

#include "cpu/devrt/barriers/named_barriers.h"
#include "cpu/devrt/export.h"
#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/fibers/grid_fibers.h"
#include "cpu/devrt/host_thread.h"
#include "cpu/devrt/services/fault.h"

namespace musashim::devrt {

BlockFibers::BarrierResult BlockFibers::barrier(bool predicate, bool overGrid) {
  barrierTrue_ += predicate;
  barrierOverGrid_ |= overGrid;
  if (++barrierArrived_ == live_) {
    if (failed_) abandonBlock();
    barrierOverGrid_ ? leaveToGrid(ToGrid::kBarrier) : releaseBarrier();
  } else {
    Group& group = groups_[current_->index / 32];
    group.atBarrier |= 1u << (current_->index % 32);
    // On a 128-lane warp, others need not wait for a lane that stands here (see warp.cpp).
    if (block_->warp_size > 32) closeCompleteRecords(current_->index / block_->warp_size);
    block(Waiting::kBarrier);
  }
  // The next barrier cannot end before every thread has read this one's result.
  return barrierResult_;
}

// Blocks take turns on their own stacks: run() does what is asked for.
void BlockFibers::leaveToGrid(ToGrid reason) {
  Fiber& fiber = *current_;
  if (reason == ToGrid::kBarrier && fiber.running) fiber.waiting = Waiting::kBarrier;
  toGrid_ = reason;
  switchTo(fiber, main_);
}

void BlockFibers::serveGrid() {
  const bool atBarrier = std::exchange(toGrid_, ToGrid::kNo) == ToGrid::kBarrier;
  if (atBarrier) {
    waitForGrid(*block_);
  } else {
    HostThread::current().grid->yield();
  }
  if (atBarrier) releaseBarrier();
}

void BlockFibers::releaseBarrier() {
  barrierResult_ = {static_cast<int32_t>(barrierTrue_), barrierTrue_ == barrierArrived_, barrierTrue_ > 0};
  barrierArrived_ = barrierTrue_ = 0;
  barrierOverGrid_ = false;
  for (uint32_t i = 0; i < threads_; ++i) {
    Fiber& fiber = pool_[order_[i]];
    if (fiber.waiting == Waiting::kBarrier) makeReady(fiber);
  }
  for (Group& group : groups_) group.atBarrier = 0;
}

uint32_t BlockFibers::waitNamed(uint32_t id, uint32_t phase) {
  const NamedBarriers& barriers = namedBarriers();
  if (!barriers.isOver(id, phase)) {
    Fiber& fiber = *current_;
    fiber.barrier = id;
    fiber.phase = phase;
    // As at __syncthreads.
    groups_[fiber.index / 32].atBarrier |= 1u << (fiber.index % 32);
    if (block_->warp_size > 32) closeCompleteRecords(fiber.index / block_->warp_size);
    block(Waiting::kNamed);
  }
  return barriers.resultOf(id, phase);
}

void BlockFibers::releaseNamed() {
  const NamedBarriers& barriers = namedBarriers();
  for (uint32_t i = 0; i < threads_; ++i) {
    Fiber& fiber = pool_[order_[i]];
    if (fiber.waiting != Waiting::kNamed || !barriers.isOver(fiber.barrier, fiber.phase)) continue;
    groups_[fiber.index / 32].atBarrier &= ~(1u << (fiber.index % 32));
    makeReady(fiber);
  }
}

Fiber* BlockFibers::nextOrStalled() {
  Fiber* next = nextReady();
  if (next == nullptr && completeGroupsApart()) return nextReady();
  NamedBarriers* const barriers = HostThread::current().barriers.get();
  if (next != nullptr || barriers == nullptr) return next;
  NamedBarriers::Threads ended{};
  for (uint32_t group = 0; group < ended.size(); ++group) ended[group] = ~groups_[group].live;
  if (!barriers->countEnded(ended)) return nullptr;
  releaseNamed();
  return nextReady();
}

namespace {

BlockFibers::BarrierResult syncThreads(bool predicate, bool overGrid = false) {
  return fibersOrFault("__syncthreads").barrier(predicate, overGrid);
}

}  // namespace

}  // namespace musashim::devrt

extern "C" {

MUSADEVRT_API void __musa_syncthreads(void) { musashim::devrt::syncThreads(false); }

MUSADEVRT_API int32_t __musa_syncthreads_count(int32_t predicate) {
  return musashim::devrt::syncThreads(predicate != 0).count;
}

MUSADEVRT_API int32_t __musa_syncthreads_and(int32_t predicate) {
  return musashim::devrt::syncThreads(predicate != 0).all;
}

MUSADEVRT_API int32_t __musa_syncthreads_or(int32_t predicate) {
  return musashim::devrt::syncThreads(predicate != 0).any;
}

MUSADEVRT_API void __musa_exit_thread(void) { musashim::devrt::fibersOrFault("a thread ends").exitThread(); }

MUSADEVRT_API uint32_t __musa_barrier_wait(uint32_t id, uint32_t phase) {
  return musashim::devrt::fibersOrFault("a numbered barrier").waitNamed(id, phase);
}

MUSADEVRT_API void __musa_grid_sync(void) {
  musashim::devrt::checkGridBarrier(*__musa_thread.block);
  musashim::devrt::syncThreads(false, /*overGrid=*/true);
}
}
