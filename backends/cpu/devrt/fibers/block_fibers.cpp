#include "cpu/devrt/fibers/block_fibers.h"

#include <fmt/format.h>

#include <bit>
#include <numeric>
#include <utility>

#include "cpu/devrt/barriers/named_barriers.h"
#include "cpu/devrt/checks/check_block.h"
#include "cpu/devrt/control.h"
#include "cpu/devrt/denormals.h"
#include "cpu/devrt/fibers/grid_fibers.h"
#include "cpu/devrt/host_thread.h"
#include "cpu/devrt/services/fault.h"

namespace musashim::devrt {

BlockFibers::BlockFibers(size_t stackBytes) : pool_(stackBytes), schedule_(processSchedule()) {
  std::iota(order_.begin(), order_.end(), uint16_t{0});
}
BlockFibers::~BlockFibers() = default;

// A fiber lives on from block to block: each round is one device thread.
void BlockFibers::fiberMain(FiberJump jump) {
  BlockFibers& self = *static_cast<BlockFibers*>(jump.data);
  self.leaving_->context = jump.from;
  SanitizerContext::afterSwitch(self.current_->sanitizer, self.leaving_->sanitizer);
  for (;;) {
    treatDenormalsAs(*static_cast<const GridState*>(self.block_->grid_state)->kernel);
    self.thread_(self.block_);
    self.finish();
  }
}

void BlockFibers::enter(Fiber& to) {
  current_ = &to == &main_ ? nullptr : &to;
  __musa_thread.thread_idx = to.threadIdx;
  __musa_thread.linear_idx = to.index;
  __musa_thread.fiber = current_;
}

void BlockFibers::switchTo(Fiber& from, Fiber& to) {
  if (to.context == nullptr) to.context = makeFiber(to.stackTop, &fiberMain);
  enter(to);
  leaving_ = &from;
  SanitizerContext::beforeSwitch(from.sanitizer, to.sanitizer);
  const FiberJump back = jump(to.context, this);
  leaving_->context = back.from;  // of whoever came back to us
  SanitizerContext::afterSwitch(from.sanitizer, leaving_->sanitizer);
}

void BlockFibers::begin(const MusaBlockContext& block, uint32_t threads) {
  block_ = &block;
  threads_ = live_ = threads;
  abandoned_ = failed_ = false;
  ringBegin_ = ringUsed_ = 0;
  barrierArrived_ = barrierTrue_ = atStep_ = 0;
  barrierOverGrid_ = false;
  beginNamedBarriers(threads);
  toGrid_ = ToGrid::kNo;
  yields_ = 0;
  for (uint32_t group = 0; group * 32 < threads; ++group) {
    uint32_t lanes = std::min(threads - group * 32, 32u);
    groups_[group] = {};
    groups_[group].live = lanes == 32 ? ~0u : (1u << lanes) - 1;
  }
  if (!schedule_.isForward()) orderThreads();
  MusaDim3 index{0, 0, 0};
  for (uint32_t i = 0; i < threads; ++i) {
    Fiber& fiber = pool_[i];
    if (std::exchange(fiber.left, false)) restart(fiber);
    fiber.threadIdx = index;
    fiber.waiting = Waiting::kNo;
    fiber.ranks.clear();
    ring_[i] = order_[i];
    if (++index.x == block.block_dim.x) {
      index.x = 0;
      if (++index.y == block.block_dim.y) {
        index.y = 0;
        ++index.z;
      }
    }
  }
  ringUsed_ = threads;
}

void BlockFibers::orderThreads() {
  const MusaDim3 &at = block_->block_idx, &grid = block_->grid_dim;
  const uint64_t block = at.x + uint64_t{grid.x} * (at.y + uint64_t{grid.y} * at.z);
  scheduleThreads(schedule_, block, block_->warp_size, {order_.data(), threads_});
  draws_ = Shuffler(schedule_.seed ^ block);
}

bool BlockFibers::run(const MusaBlockContext& block, MusaThreadFunction thread) {
  uint64_t threads = uint64_t{block.block_dim.x} * block.block_dim.y * block.block_dim.z;
  if (threads == 0) return true;
  if (threads > FiberPool::kMaxFibers || !pool_.grow(static_cast<uint32_t>(threads))) {
    HostThread& host = HostThread::current();
    host.fault.code = StatusCode::kLaunchFailure;
    host.fault.message =
        fmt::format("cannot make {} device threads with stacks of {} bytes", threads, pool_.stackBytes());
    return false;
  }
  begin(block, static_cast<uint32_t>(threads));
  thread_ = thread;
  main_.sanitizer.adoptCurrent();
  main_.threadIdx = __musa_thread.thread_idx;
  main_.index = __musa_thread.linear_idx;
  switchTo(main_, *nextReady());
  while (toGrid_ != ToGrid::kNo && !abandoned_) {
    serveGrid();
    switchTo(main_, *nextReady());
  }
  abandoned_ |= failed_;
  if (abandoned_) forgetAbandoned();
  return !abandoned_;
}

// A ring of kMaxFibers places holds every fiber at most once.
Fiber* BlockFibers::nextReady() {
  if (ringUsed_ == 0) return nullptr;
  if (schedule_.kind == Schedule::Kind::kSeed) {
    const auto drawn = static_cast<uint32_t>(draws_.below(ringUsed_));
    std::swap(ring_[ringBegin_], ring_[(ringBegin_ + drawn) % FiberPool::kMaxFibers]);
  }
  Fiber& fiber = pool_[ring_[ringBegin_]];
  ringBegin_ = (ringBegin_ + 1) % FiberPool::kMaxFibers;
  --ringUsed_;
  fiber.running = true;
  return &fiber;
}

void BlockFibers::makeReady(Fiber& fiber) {
  fiber.waiting = Waiting::kNo;
  groups_[fiber.index / 32].blocked &= ~(1u << (fiber.index % 32));
  ring_[(ringBegin_ + ringUsed_) % FiberPool::kMaxFibers] = static_cast<uint16_t>(fiber.index);
  ++ringUsed_;
}

void BlockFibers::block(Waiting reason) {
  Fiber& fiber = *current_;
  fiber.waiting = reason;
  uint32_t group = fiber.index / 32;
  groups_[group].blocked |= 1u << (fiber.index % 32);
  resolveGroup(group);
  resolveStep();
  Fiber* next = nextOrStalled();
  if (!next) deadlock();
  if (next != &fiber) switchTo(fiber, *next);
}

bool BlockFibers::yield() {
  Fiber& fiber = *current_;
  groups_[fiber.index / 32].yielded |= 1u << (fiber.index % 32);
  groups_[fiber.index / 32].polled |= 1u << (fiber.index % 32);
  resolveConvergence(fiber.index / 32);
  resolveStep();
  const HostThread& host = HostThread::current();
  const bool hasBlocks = host.grid && host.grid->onFiber();
  // What is polled for may be up to a thread whose assertion has failed.
  if (failed_ && (ringUsed_ == 0 || yieldsLeft_-- == 0)) abandonBlock();
  if (ringUsed_ == 0 && !hasBlocks) return false;
  const bool toBlocks = hasBlocks && ++yields_ > ringUsed_;
  ring_[(ringBegin_ + ringUsed_) % FiberPool::kMaxFibers] = static_cast<uint16_t>(fiber.index);
  ++ringUsed_;
  if (toBlocks) {
    yields_ = 0;
    leaveToGrid(ToGrid::kYield);
    return true;
  }
  Fiber* next = nextReady();
  if (next != &fiber) switchTo(fiber, *next);
  return true;
}

void BlockFibers::finish() {
  Fiber& fiber = *current_;
  fiber.running = fiber.failed;
  uint32_t group = fiber.index / 32;
  groups_[group].live &= ~(1u << (fiber.index % 32));
  --live_;
  closeCompleteRecords(fiber.index / block_->warp_size);
  resolveGroup(group);
  if (failed_ && live_ > 0 && barrierArrived_ == live_) abandonBlock();
  const bool toGrid = live_ > 0 && barrierArrived_ == live_ && barrierOverGrid_;
  if (live_ > 0 && barrierArrived_ == live_ && !barrierOverGrid_) releaseBarrier();
  resolveStep();
  if (toGrid) {
    leaveToGrid(ToGrid::kBarrier);
  } else if (Fiber* next = nextOrStalled()) {
    switchTo(fiber, *next);
  } else if (live_ == 0) {
    switchTo(fiber, main_);
  } else {
    deadlock();
  }
}

void BlockFibers::exitThread() {
  current_->left = true;
  finish();
  __builtin_unreachable();  // it begins anew
}

void BlockFibers::fail() {
  failed_ = current_->failed = true;
  yieldsLeft_ = threads_;
  groups_[current_->index / 32].failed |= 1u << (current_->index % 32);
  finish();
  __builtin_unreachable();  // it begins anew
}

void BlockFibers::restart(Fiber& fiber) {
  fiber.context = nullptr;
  fiber.sanitizer.forget();
}

void BlockFibers::abandonBlock() {
  abandoned_ = true;
  current_->running = true;  // though its thread may have ended: the fiber begins anew
  switchTo(*current_, main_);
  __builtin_unreachable();
}

void BlockFibers::forgetAbandoned() {
  for (uint32_t i = 0; i < threads_; ++i) {
    Fiber& fiber = pool_[i];
    if (!fiber.running) continue;
    fiber.running = fiber.failed = false;
    restart(fiber);
  }
  open_.fill(nullptr);
  records_.reset();
}

void BlockFibers::deadlock() {
  if (failed_) abandonBlock();
  if (auto* checks = checks::BlockChecks::current()) checks->deadlocked();
  HostThread& host = HostThread::current();
  host.fault.code = StatusCode::kDeadlock;
  host.fault.message = describeDeadlock();
  leaveDeviceCode(host);
}

std::string BlockFibers::describeDeadlock() {
  std::string text =
      fmt::format("the block's threads wait for each other for ever: of {} threads {} have ended", threads_,
                  threads_ - live_);
  if (barrierArrived_ > 0) text += fmt::format("; {} wait at __syncthreads", barrierArrived_);
  for (const std::string& barrier : namedBarriers().describe()) text += "; " + barrier;
  int described = 0;
  for (uint32_t warp = 0; warp * block_->warp_size < threads_; ++warp) {
    for (WarpRecord* record = open_[warp]; record; record = record->next) {
      if (++described > 4) return text + "; ...";
      uint32_t arrived = 0;
      for (uint32_t bits : record->arrived) arrived += static_cast<uint32_t>(std::popcount(bits));
      text += fmt::format(
          "; {} wait in a warp operation of threads {}..{} with mask {:#010x} (arrived: {:#010x})", arrived,
          record->first, record->first + record->lanes - 1, record->mask, record->arrived[0]);
    }
  }
  return text;
}

BlockFibers* fibersOrNull() {
  HostThread* thread = HostThread::currentOrNull();
  return thread != nullptr && thread->fibers && thread->fibers->onFiber() ? thread->fibers.get() : nullptr;
}

BlockFibers& fibersOrFault(const char* what) {
  BlockFibers* fibers = fibersOrNull();
  if (fibers == nullptr)
    raiseFault(StatusCode::kLaunchFailure, fmt::format("{} in code that does not run on fibers", what));
  return *fibers;
}

}  // namespace musashim::devrt
