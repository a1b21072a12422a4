#include "cpu/devrt/fibers/grid_fibers.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "abi/musa_unit_abi.h"
#include "cpu/devrt/barriers/named_barriers.h"
#include "cpu/devrt/checks/check_block.h"
#include "cpu/devrt/control.h"
#include "cpu/devrt/denormals.h"
#include "cpu/devrt/export.h"
#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/matrices/warp_exchange.h"
#include "cpu/devrt/schedule.h"
#include "cpu/devrt/services/device_state.h"
#include "cpu/devrt/services/fault.h"
#include "cpu/devrt/units/unit_scratch.h"
#include "cpu/exec/clock.h"

namespace musashim::devrt {

namespace {

constexpr std::align_val_t kSharedAlignment{4096};  // as exec/grid.cpp says
// Compiled blocks keep the variables of one thread at a time on their stacks, but that
// thread may call deeply.
constexpr size_t kSmallestStack = size_t{1} << 20;
// Blocks whose working memory is kept for the next grid.
constexpr size_t kKeptBlocks = 64;
// Other threads that help need some time to come for blocks of theirs: so long those wait that have begun.
constexpr int64_t kHelpersCome = 30'000;  // ns
constexpr int64_t kPatience = 5'000;      // ns for each that waits

uint64_t blocksOf(const MusaDim3& grid) { return uint64_t{grid.x} * grid.y * grid.z; }

}  // namespace

void GridFibers::FreeShared::operator()(char* memory) const { operator delete(memory, kSharedAlignment); }

GridFibers::GridFibers(HostThread& host) : host_(host) { main_.fiber = &mainFiber_; }
GridFibers::~GridFibers() = default;

bool GridFibers::makePool(const GridState& grid, uint32_t count) {
  if (!pool_ || pool_->maxFibers() < count) {
    const size_t stack = std::max(kSmallestStack, grid.device->options.fiberStackBytes);
    pool_ = std::make_unique<FiberPool>(stack, std::max(count, FiberPool::kMaxFibers));
  }
  if (blocks_.size() < count) blocks_.resize(count);
  return pool_->grow(count);
}

// All but the context, of which the shared memory alone is set.
void GridFibers::open(Block& block, uint32_t index, size_t sharedBytes) {
  if (sharedBytes > block.sharedBytes) {
    block.shared.reset();
    block.shared.reset(static_cast<char*>(operator new(sharedBytes, kSharedAlignment)));
    block.sharedBytes = sharedBytes;
  }
  block.context.shared = block.shared.get();
  block.fiber = &(*pool_)[index];
  block.state = State::kReady;
  block.begun = false;
  block.thread = {};
  block.checks = checks::kIdle;
  block.thread.block = &block.context;
}

bool GridFibers::prepare(const MusaBlockContext& first, uint32_t count, size_t sharedBytes) {
  if (!makePool(*static_cast<const GridState*>(first.grid_state), count)) return false;
  order_.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    order_[i] = static_cast<uint32_t>(scheduledBlock(processSchedule(), i, count));
    Block& block = blocks_[i];
    block.context = first;
    block.context.block_idx = {i % first.grid_dim.x, i / first.grid_dim.x % first.grid_dim.y,
                               i / first.grid_dim.x / first.grid_dim.y};
    open(block, i, sharedBytes);
    if (clearsShared()) clearShared(block.context);
  }
  return true;
}

bool GridFibers::run(const MusaBlockContext& first, const MusaKernelInfo& kernel, uint32_t count,
                     size_t sharedBytes) {
  kernel_ = &kernel;
  turns_ = {};
  if (!prepare(first, count, sharedBytes)) {
    if (blocks_.empty()) blocks_.resize(1);
    blocks_.front().context = first;
    return failsToStart(count);
  }
  count_ = count;
  return runAll();
}

bool GridFibers::runInTurns(BlockSource& source, const GridState& grid, size_t sharedBytes, bool alone) {
  kernel_ = grid.kernel;
  turns_ = {.source = &source, .sharedBytes = sharedBytes, .alone = alone};
  if (!makePool(grid, 1)) {
    (void)source.next(blocks_.front().context);
    return failsToStart(1);
  }
  open(blocks_.front(), 0, sharedBytes);
  if (!takeNext(blocks_.front())) return true;
  order_.assign(1, 0);
  count_ = 1;
  return runAll();
}

bool GridFibers::failsToStart(uint32_t count) {
  host_.fault.code = StatusCode::kLaunchFailure;
  host_.fault.message = fmt::format("cannot make stacks for {} blocks that run at once", count);
  faulty_ = &blocks_.front();
  return false;
}

// Those that are ready, and what they begin.
bool GridFibers::runAll() {
  live_ = count_;
  arrived_ = 0;
  turn_ = count_ - 1;
  abandoned_ = false;
  mainFiber_.sanitizer.adoptCurrent();
  switchTo(*nextReady());
  if (abandoned_) forgetUnfinished();
  trim();
  return !abandoned_;
}

void GridFibers::trim() {
  for (size_t i = kKeptBlocks; i < blocks_.size(); ++i) {
    blocks_[i].fibers.reset();
    blocks_[i].units.reset();
    blocks_[i].exchange.reset();
    blocks_[i].barriers.reset();
    blocks_[i].shared.reset();
    blocks_[i].sharedBytes = 0;
  }
}

// A fiber lives on from grid to grid.
void GridFibers::fiberMain(FiberJump jump) {
  GridFibers& self = *static_cast<GridFibers*>(jump.data);
  self.leaving_->fiber->context = jump.from;
  SanitizerContext::afterSwitch(self.current_->fiber->sanitizer, self.leaving_->fiber->sanitizer);
  for (;;) self.runBlock();
}

void GridFibers::runBlock() {
  Block& block = *current_;
  block.begun = true;
  treatDenormalsAs(*kernel_);
  do {
    __musa_thread.linear_idx = UINT32_MAX;  // not known unless the kernel sets it
    blockFunction (*kernel_)(&block.context);
    if (turns_.source != nullptr) turns_.source->countEnd();
  } while (live_ == 1 && takeNext(block));  // those that wait here are to go on first
  block.state = State::kEnded;
  --live_;
  if (Block* next = nextReady()) {
    switchTo(*next);
  } else if (live_ == 0) {
    switchTo(main_);
  } else {
    deadlock();
  }
}

void GridFibers::switchTo(Block& to) {
  Block& from = *current_;
  from.fibers = std::move(host_.fibers);
  from.units = std::move(host_.units);
  from.exchange = std::move(host_.exchange);
  from.barriers = std::move(host_.barriers);
  from.thread = __musa_thread;
  from.checks = __musa_check_state;
  host_.fibers = std::move(to.fibers);
  host_.units = std::move(to.units);
  host_.exchange = std::move(to.exchange);
  host_.barriers = std::move(to.barriers);
  __musa_thread = to.thread;
  __musa_check_state = to.checks;
  if (to.fiber->context == nullptr) to.fiber->context = makeFiber(to.fiber->stackTop, &fiberMain);
  current_ = &to;
  leaving_ = &from;
  SanitizerContext::beforeSwitch(from.fiber->sanitizer, to.fiber->sanitizer);
  const FiberJump back = jump(to.fiber->context, this);
  leaving_->fiber->context = back.from;  // of whoever came back to us
  SanitizerContext::afterSwitch(from.fiber->sanitizer, leaving_->fiber->sanitizer);
}

// In turn, so that nobody is left behind.
GridFibers::Block* GridFibers::nextReady() {
  for (uint32_t i = 0; i < count_; ++i) {
    turn_ = turn_ + 1 < count_ ? turn_ + 1 : 0;
    Block& block = blocks_[order_[turn_]];
    if (block.state == State::kReady) return &block;
  }
  return nullptr;
}

void GridFibers::barrier() {
  if (++arrived_ == count_) {
    arrived_ = 0;
    for (uint32_t i = 0; i < count_; ++i) blocks_[i].state = State::kReady;
    return;
  }
  current_->state = State::kAtBarrier;
  Block* next = nextReady();
  if (!next) deadlock();
  switchTo(*next);
}

// The source's next block in the place of `block`, which has ended or not begun.
bool GridFibers::takeNext(Block& block) {
  if (turns_.source == nullptr || turns_.isEmpty) return false;
  turns_.looks = 0;
  turns_.waitsSince = 0;
  turns_.isEmpty = !turns_.source->next(block.context);
  return !turns_.isEmpty;
}

// All that have begun here have looked in vain, for some time in which no block has ended. (If more began
// whenever those here wait, each of a chain of blocks would wait for its turn: 60 us for one of 12.)
bool GridFibers::isTimeForMore() {
  if (turns_.source == nullptr || turns_.isEmpty || ++turns_.looks <= live_) return false;
  if (turns_.alone) return true;
  const int64_t now = backend::cpu::monotonicNow();
  const uint64_t ends = turns_.source->ends();
  if (turns_.waitsSince == 0 || ends != turns_.ends) turns_.waitsSince = now;
  turns_.ends = ends;
  const int64_t patience = kPatience * live_ + (count_ == 1 ? kHelpersCome : 0);
  return now - turns_.waitsSince >= patience;
}

// The place of a block that has ended, or a new one; count_ when there is no room.
uint32_t GridFibers::freePlace() {
  for (uint32_t i = 0; live_ < count_ && i < count_; ++i) {
    if (blocks_[i].state == State::kEnded) return i;
  }
  if (count_ == FiberPool::kMaxFibers || !pool_->grow(count_ + 1)) return count_;
  if (blocks_.size() == count_) blocks_.emplace_back();
  order_.push_back(count_);
  return count_++;
}

// Null: there is none, or no room for it.
GridFibers::Block* GridFibers::beginOneMore() {
  const uint32_t place = freePlace();
  if (place == count_) return nullptr;
  Block& block = blocks_[place];
  open(block, place, turns_.sharedBytes);
  if (!takeNext(block)) {
    block.state = State::kEnded;
    return nullptr;
  }
  turn_ = place;
  ++live_;
  return &block;
}

bool GridFibers::yield() {
  if (turns_.source != nullptr && turns_.source->hasFailed())
    raiseFault(StatusCode::kLaunchFailure,
               "another block of the grid has failed, for which this one may wait");
  Block* next = isTimeForMore() ? beginOneMore() : nullptr;
  if (!next) next = nextReady();
  if (!next || next == current_) return false;
  switchTo(*next);
  return true;
}

void GridFibers::deadlock() {
  faulty_ = &*std::find_if(blocks_.begin(), blocks_.end(),
                           [](const Block& block) { return block.state == State::kAtBarrier; });
  host_.fault.code = StatusCode::kDeadlock;
  host_.fault.message = fmt::format(
      "the grid's blocks wait for each other for ever: of {} blocks {} have ended; {} wait for the grid",
      count_, count_ - live_, arrived_);
  switchToFault();
}

void GridFibers::abandon() {
  faulty_ = current_;
  switchToFault();
}

void GridFibers::switchToFault() {
  host_.inDeviceCode = 0;
  abandoned_ = true;
  switchTo(main_);
  __builtin_unreachable();
}

// Every fiber of the grid begins anew, whatever was on its stack.
void GridFibers::forgetUnfinished() {
  for (uint32_t i = 0; i < count_; ++i) {
    Block& block = blocks_[i];
    if (!block.begun) continue;
    if (block.fibers) block.fibers->forgetUnfinished();
    block.fiber->context = nullptr;
    block.fiber->sanitizer.forget();
  }
}

bool GridFibers::isGuard(uintptr_t address) const {
  if (pool_ && pool_->isGuard(address)) return true;
  return std::any_of(blocks_.begin(), blocks_.end(), [address](const Block& block) {
    return block.fibers && block.fibers->pool().isGuard(address);
  });
}

void checkGridBarrier(const MusaBlockContext& block) {
  if (block.cooperative == 0) {
    raiseFault(StatusCode::kTrap,
               "grid_group::sync() in a kernel that was not launched cooperatively: its blocks cannot wait "
               "for each other (musaLaunchCooperativeKernel)");
  }
  if (blocksOf(block.grid_dim) == 1) return;
  const HostThread* host = HostThread::currentOrNull();
  if (!host || !host->grid || !host->grid->onFiber()) {
    raiseFault(StatusCode::kLaunchFailure,
               "a barrier of the grid in a kernel whose image does not tell of it");
  }
}

void waitForGrid(const MusaBlockContext& block) {
  if (blocksOf(block.grid_dim) > 1) HostThread::current().grid->barrier();
}

}  // namespace musashim::devrt

extern "C" MUSADEVRT_API void __musa_grid_barrier(const MusaBlockContext* block) {
  musashim::devrt::checkGridBarrier(*block);
  musashim::devrt::waitForGrid(*block);
}
