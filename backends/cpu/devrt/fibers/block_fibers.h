// Runs the threads of a block as fibers on one host thread.
//
// Fibers switch to each other directly: whoever must wait takes the next one from
// the ring of those that can run. When none can, either all have ended or the block
// has deadlocked; both lead back to the host thread's own stack.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "cpu/devrt/fibers/fiber_pool.h"
#include "cpu/devrt/fibers/warp_record.h"
#include "cpu/devrt/schedule.h"

namespace musashim::devrt {

class BlockFibers {
 public:
  explicit BlockFibers(size_t stackBytes);
  ~BlockFibers();

  // Runs every thread of the block to its end. False when the block was abandoned:
  // then the host thread's fault says why (a deadlock included).
  bool run(const MusaBlockContext& block, MusaThreadFunction thread);

  bool onFiber() const { return current_ != nullptr; }
  Fiber& current() { return *current_; }
  uintptr_t currentStackTop() const { return reinterpret_cast<uintptr_t>(current_->stackTop); }
  // Leaves the current fiber and, on the host thread's stack, makes run() return false.
  [[noreturn]] void abandonBlock();
  // An assertion of the current fiber has failed: it ends, the others go on as far as they come without it,
  // and run() returns false.
  [[noreturn]] void fail();
  // The current fiber's thread ends here.
  [[noreturn]] void exitThread();
  // The block stands at a barrier of the grid, and run() will not be gone on with.
  void forgetUnfinished() { forgetAbandoned(); }
  const FiberPool& pool() const { return pool_; }

  // The three results of a barrier, each over the threads that took part.
  struct BarrierResult {
    int32_t count = 0;
    bool all = false, any = false;
  };
  // `overGrid`: of all blocks; one thread that asks for it is enough.
  BarrierResult barrier(bool predicate, bool overGrid);  // barrier.cpp

  // Waits at one of the numbered barriers; returns NamedBarriers::resultOf().
  uint32_t waitNamed(uint32_t id, uint32_t phase);
  void releaseNamed();  // those whose phases are over

  // warp.cpp: waits until the mask's lanes of `scope` lanes (a part of the warp, the
  // caller in it) have brought their values. The record must be given back.
  WarpRecord& exchange(uint32_t mask, uint64_t value, uint32_t scope, bool mayPart = false);
  void doneWith(WarpRecord& record);
  uint32_t activeMask(const void* site);
  void converge(uint32_t rank);
  // Of a call that the current fiber makes.
  void enterCall(uint32_t rank) { current_->ranks.push_back(rank); }
  void leaveCall() { current_->ranks.pop_back(); }
  void step();  // step.cpp

  // Lets the others run first, other blocks of a cooperative grid included. False when
  // there is none.
  bool yield();

  uint32_t warpSize() const { return block_->warp_size; }
  uint32_t lane() const { return current_->index % block_->warp_size; }

 private:
  struct Group {           // 32 lanes
    uint32_t live = 0;     // begun or to begin, and not ended
    uint32_t failed = 0;   // an assertion of theirs has
    uint32_t blocked = 0;  // wait for something
    uint32_t atBarrier = 0;
    uint32_t atActiveMask = 0;
    uint32_t atConvergence = 0;
    uint32_t yielded = 0;  // since a lane of the warp has come to a convergence point
    uint32_t atStep = 0;
    uint32_t polled = 0;  // yielded since a thread of the block has come to a step
  };
  enum class ToGrid : uint8_t { kNo, kBarrier, kYield };
  static constexpr uint32_t kGroups = FiberPool::kMaxFibers / 32;

  static void fiberMain(FiberJump jump);
  void begin(const MusaBlockContext& block, uint32_t threads);
  void orderThreads();
  void switchTo(Fiber& from, Fiber& to);
  void enter(Fiber& to);  // thread state of `to`
  Fiber* nextReady();
  Fiber* nextOrStalled();  // also who waits for threads that have ended
  void makeReady(Fiber& fiber);
  void block(Waiting reason);         // current fiber; returns when made ready
  void finish();                      // current fiber has ended
  static void restart(Fiber& fiber);  // from its top, whatever was on its stack
  void forgetAbandoned();
  void resolveGroup(uint32_t group);
  void resolveActiveMask(Group& group, uint32_t index);
  void resolveConvergence(uint32_t group);
  void resolveStep();
  std::span<Group> groupsOfBlock() { return std::span(groups_).first((threads_ + 31) / 32); }
  std::span<Group> warpOf(uint32_t group);
  [[noreturn]] void deadlock();
  std::string describeDeadlock();

  void releaseBarrier();
  void leaveToGrid(ToGrid reason);
  void serveGrid();
  void closeCompleteRecords(uint32_t warp);
  bool isComplete(const WarpRecord& record) const;
  void wakeGroup(WarpRecord& record, uint32_t group);
  void completeRecord(WarpRecord& record);
  bool completeGroupsApart();
  WarpRecord& openRecord(uint32_t mask, uint32_t first, uint32_t scope, bool mayPart);

  FiberPool pool_;
  Fiber main_;
  Fiber* current_ = nullptr;
  Fiber* leaving_ = nullptr;  // during a switch
  const MusaBlockContext* block_ = nullptr;
  MusaThreadFunction thread_ = nullptr;
  uint32_t threads_ = 0, live_ = 0;
  bool abandoned_ = false;
  bool failed_ = false;      // an assertion has
  uint32_t yieldsLeft_ = 0;  // then, before all wait in vain

  std::array<uint16_t, FiberPool::kMaxFibers> ring_{};
  uint32_t ringBegin_ = 0, ringUsed_ = 0;
  // MUSASHIM_SCHEDULE: who starts first and wakes first; a seed also draws who is next.
  const Schedule& schedule_;
  std::array<uint16_t, FiberPool::kMaxFibers> order_{};
  Shuffler draws_{0};

  uint32_t atStep_ = 0;  // threads that wait there
  uint32_t barrierArrived_ = 0, barrierTrue_ = 0;
  bool barrierOverGrid_ = false;
  ToGrid toGrid_ = ToGrid::kNo;  // why run() got the host's stack back; kNo: the block is over
  uint32_t yields_ = 0;          // since other blocks ran
  BarrierResult barrierResult_;
  std::array<Group, kGroups> groups_{};
  std::array<WarpRecord*, kGroups> open_{};  // per warp
  WarpRecordPool records_;
};

// Those that the calling device thread runs on.
BlockFibers* fibersOrNull();
BlockFibers& fibersOrFault(const char* what);  // `what` cannot be done in other code: a fault

}  // namespace musashim::devrt
