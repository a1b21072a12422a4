// Runs several blocks of a grid at once on one host thread, each on a fiber of its own with
// its own shared memory and working memory: all blocks of a cooperative grid, or so many
// of another one's as wait for each other.
//
// Blocks take turns where they wait for each other: at barriers of the grid, and where
// their threads sleep. A block that spins without either keeps the others from running.
// A block's device threads may be fibers themselves; switches between blocks happen on
// the blocks' own stacks alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "abi/musa_check_abi.h"
#include "cpu/devrt/fibers/fiber_pool.h"
#include "cpu/devrt/host_thread.h"

namespace musashim::devrt {

class BlockSource;
struct GridState;

class GridFibers {
 public:
  explicit GridFibers(HostThread& host);
  ~GridFibers();

  // Runs the grid's `count` blocks to their ends; see runTogether(). False when it was
  // abandoned: then the host thread's fault says why, and faultBlock() where.
  bool run(const MusaBlockContext& first, const MusaKernelInfo& kernel, uint32_t count, size_t sharedBytes);
  // Runs blocks until there are no more; see devrt::runInTurns(). False as above.
  bool runInTurns(BlockSource& source, const GridState& grid, size_t sharedBytes, bool alone);
  const MusaBlockContext& faultBlock() const { return faulty_->context; }

  // True on the stack of a block, or of one of its device threads.
  bool onFiber() const { return current_ != &main_; }

  // On a block's stack:
  void barrier();                         // the whole block has come; returns when every block has
  bool yield();                           // lets the other blocks run first; false when none can
  [[noreturn]] void abandon();            // makes run() return false
  bool isGuard(uintptr_t address) const;  // of a block's stack, or of those of its device threads
  uintptr_t currentStackTop() const { return reinterpret_cast<uintptr_t>(current_->fiber->stackTop); }

 private:
  enum class State : uint8_t { kReady, kAtBarrier, kEnded };

  struct FreeShared {
    void operator()(char* memory) const;
  };
  // What belongs to a block, or to the host thread itself, while another one runs.
  struct Block {
    MusaBlockContext context{};
    std::unique_ptr<char, FreeShared> shared;
    size_t sharedBytes = 0;
    Fiber* fiber = nullptr;
    State state = State::kReady;
    bool begun = false;
    MusaThreadState thread{};
    MusaCheckState checks{};
    std::unique_ptr<BlockFibers> fibers;
    std::unique_ptr<UnitScratch> units;
    std::unique_ptr<WarpExchange> exchange;
    std::unique_ptr<NamedBarriers> barriers;
  };

  // Blocks that are started while others wait.
  struct Turns {
    BlockSource* source = nullptr;  // null: all blocks are there from the beginning
    size_t sharedBytes = 0;
    bool alone = false;      // with the grid
    bool isEmpty = false;    // the source
    uint32_t looks = 0;      // of blocks that wait, since one has begun here
    uint64_t ends = 0;       // of the grid's blocks, when it was looked last
    int64_t waitsSince = 0;  // ns: when one had begun here, or ended anywhere; 0: not known yet
  };

  bool makePool(const GridState& grid, uint32_t count);
  void open(Block& block, uint32_t index, size_t sharedBytes);
  bool failsToStart(uint32_t count);
  bool runAll();
  bool takeNext(Block& block);
  bool isTimeForMore();
  uint32_t freePlace();
  Block* beginOneMore();
  bool prepare(const MusaBlockContext& first, uint32_t count, size_t sharedBytes);
  void trim();
  static void fiberMain(FiberJump jump);
  void runBlock();
  void switchTo(Block& to);
  Block* nextReady();
  [[noreturn]] void deadlock();
  [[noreturn]] void switchToFault();
  void forgetUnfinished();

  HostThread& host_;
  const MusaKernelInfo* kernel_ = nullptr;
  std::unique_ptr<FiberPool> pool_;
  std::deque<Block> blocks_;     // grows only, in place: idle fibers refer to theirs; count_ of them run
  std::vector<uint32_t> order_;  // in which they take turns
  uint32_t count_ = 0, live_ = 0, arrived_ = 0;
  uint32_t turn_ = 0;  // place in order_ of whoever ran last
  const Block* faulty_ = nullptr;
  bool abandoned_ = false;
  Turns turns_;
  Block main_;
  Fiber mainFiber_;
  Block* current_ = &main_;
  Block* leaving_ = nullptr;  // during a switch
};

// A fault when the launch is not one in which blocks can wait for each other.
void checkGridBarrier(const MusaBlockContext& block);

// On the block's own stack, the whole block being there.
void waitForGrid(const MusaBlockContext& block);

}  // namespace musashim::devrt
