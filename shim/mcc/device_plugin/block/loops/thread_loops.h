// Loops over the threads of a unit.
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
// Closes it at `builder`, which moves behind it; returns the branch back.
llvm::BranchInst* closeLoop(llvm::IRBuilder<>& builder, CountedLoop& loop, llvm::Value* limit);

// Has the loop compiled as it is: it seldom runs, or gains nothing from vectors.
void keepPlain(llvm::BranchInst& back);

// The property of a loop that so many vectors are done at a time.
llvm::MDNode* interleaving(llvm::LLVMContext& context, unsigned vectors);

// The innermost of such loops, whose iterations may go together.
bool isOverThreads(const llvm::Loop& loop);

// How often at least a block runs what is in `loop`; 1 for none.
uint64_t roundsOf(const llvm::Loop* loop, llvm::ScalarEvolution& evolution);

// The block before `loop`, which is made if need be; null where it cannot be.
llvm::BasicBlock* blockBefore(llvm::Loop& loop, llvm::DominatorTree& dominators, llvm::LoopInfo& loops);

// One loop over a warp, or three nested ones over a block, x innermost.
class ThreadLoops {
 public:
  // `range`: only these threads of a block.
  ThreadLoops(const UnitFunction& unit, llvm::IRBuilder<>& builder, const ThreadRange& range = {});
  // Only the threads of a warp that are at `place`.
  ThreadLoops(const UnitFunction& unit, llvm::IRBuilder<>& builder, uint16_t place);

  llvm::Value* lane() const { return lane_; }                                  // i64
  const std::array<llvm::Value*, 3>& threadIdx() const { return threadIdx_; }  // i32
  llvm::Value* linearIdx(llvm::IRBuilder<>& builder) const;                    // i32, in the block

  // Closes all; `builder` stands at the end of the innermost body. The iterations of
  // the innermost loop are independent as far as accesses in `group` go; null: not to be vectorised.
  void close(llvm::IRBuilder<>& builder, llvm::MDNode* group);

 private:
  void openWarp(llvm::IRBuilder<>& builder);
  void openBlock(llvm::IRBuilder<>& builder, const ThreadRange& range);
  void openPresent(llvm::IRBuilder<>& builder, uint16_t place);
  void closePresent(llvm::IRBuilder<>& builder);

  const UnitFunction& unit_;
  llvm::SmallVector<CountedLoop, 3> loops_;  // outermost first
  llvm::SmallVector<llvm::Value*, 3> limits_;
  llvm::PHINode* left_ = nullptr;         // bits of the threads of a group that are still to come
  llvm::BasicBlock* groupEnd_ = nullptr;  // behind them
  llvm::Value* lane_ = nullptr;
  std::array<llvm::Value*, 3> threadIdx_{};
};

}  // namespace musashim::mcc
