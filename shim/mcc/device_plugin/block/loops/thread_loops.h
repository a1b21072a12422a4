// Loops over the threads of a unit.
//
// A *row* of threads is what the innermost loop runs over: the threads of a block with one y and one z, or
// all of a warp. A row of an array is what such a loop accesses.
#pragma once

#include <array>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "mcc/device_plugin/block/analysis/thread_range.h"
#include "mcc/device_plugin/block/emit/unit_function.h"

namespace musashim::mcc {

// for (i = start; i < limit; ++i), with start < limit.
struct CountedLoop {
  llvm::BasicBlock* body = nullptr;
  llvm::PHINode* index = nullptr;
};

// Opens a loop at `builder`, which moves into its body; `type` is its index's.
CountedLoop openLoop(llvm::IRBuilder<>& builder, llvm::Type* type, const llvm::Twine& name,
                     llvm::Value* start = nullptr);
// Closes it at `builder`, which moves behind it. Returns the back edge's branch.
llvm::BranchInst* closeLoop(llvm::IRBuilder<>& builder, CountedLoop& loop, llvm::Value* limit);

// Disables vectorisation and unrolling: the loop is cold, or gains nothing from vectors.
void disableLoopTransforms(llvm::BranchInst& back);

// The loop property llvm.loop.interleave.count.
llvm::MDNode* interleaveCountProperty(llvm::LLVMContext& context, unsigned vectors);

// True for a loop over a row of threads, whose iterations are independent.
bool isOverThreads(const llvm::Loop& loop);

// The product of the constant trip counts of `loop` and the loops around it: how often a block runs what is
// in it, at least. 1 for no loop.
uint64_t knownTripCount(const llvm::Loop* loop, llvm::ScalarEvolution& evolution);

// The preheader of `loop`, made if need be; null where it cannot be.
llvm::BasicBlock* getOrInsertPreheader(llvm::Loop& loop, llvm::DominatorTree& dominators,
                                       llvm::LoopInfo& loops);

// One loop over a warp's threads, or three nested ones over a block's, x innermost.
class ThreadLoops {
 public:
  // `range`: only these threads of a block.
  ThreadLoops(const UnitFunction& unit, llvm::IRBuilder<>& builder, const ThreadRange& range = {});
  // Only the active threads of a warp, those at `place`.
  ThreadLoops(const UnitFunction& unit, llvm::IRBuilder<>& builder, uint16_t place);

  llvm::Value* indexInUnit() const { return indexInUnit_; }                    // i64
  const std::array<llvm::Value*, 3>& threadIdx() const { return threadIdx_; }  // i32
  llvm::Value* linearIdx(llvm::IRBuilder<>& builder) const;                    // i32, in the block

  // Closes all; `builder` stands at the end of the innermost body. The iterations of the innermost loop are
  // independent as far as accesses in `group` go. A null group: no vectorisation.
  void close(llvm::IRBuilder<>& builder, llvm::MDNode* group);

 private:
  void openWarp(llvm::IRBuilder<>& builder);
  void openBlock(llvm::IRBuilder<>& builder, const ThreadRange& range);
  void openActive(llvm::IRBuilder<>& builder, uint16_t place);
  void closeActive(llvm::IRBuilder<>& builder);

  const UnitFunction& unit_;
  llvm::SmallVector<CountedLoop, 3> loops_;  // outermost first
  llvm::SmallVector<llvm::Value*, 3> limits_;
  llvm::PHINode* left_ = nullptr;         // mask of the active threads of a group that are still to run
  llvm::BasicBlock* groupEnd_ = nullptr;  // behind them
  llvm::Value* indexInUnit_ = nullptr;
  std::array<llvm::Value*, 3> threadIdx_{};
};

}  // namespace musashim::mcc
