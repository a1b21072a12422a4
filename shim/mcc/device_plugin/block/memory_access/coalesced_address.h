// The address of a coalesced access, in a loop over a row of threads: what it is computed from.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

bool isBlockIdxX(const llvm::Value& value);
bool isBlockDimX(const llvm::Value& value);
// The value is the start of the block's shared memory.
bool isSharedMemory(const llvm::Value& value);
// `access` goes through `pointer` to memory that no other block sees: shared, or private to a thread.
bool isBlockLocal(const llvm::Instruction& access, const llvm::Value& pointer);

// Both are the same kernel parameter, also when each is loaded by itself from the block's context.
bool isSameParameter(const llvm::Value& left, const llvm::Value& right);

// May be cloned, elsewhere and with other operands.
bool isPure(const llvm::Instruction& instruction);

// `row`, or the loop around it, that `phi` is an induction variable of. Null when it is of no such loop.
const llvm::Loop* loopOf(const llvm::PHINode& phi, const llvm::Loop& row);

class CoalescedAddress {
 public:
  CoalescedAddress(const llvm::Value& pointer, const llvm::Loop& row);

  // Another block's address is the same function of its blockIdx.x.
  bool isKnownForOtherBlocks() const { return isKnown_ && usesBlockIdx_; }
  // It depends on a loop around the row's.
  bool dependsOnOuterLoop() const { return !outerPhis_.empty(); }
  // It is that of the element with the thread's index in the grid (`blockIdx.x * blockDim.x + threadIdx.x`).
  bool usesGlobalThreadIndex() const { return isKnownForOtherBlocks() && usesGlobalThreadIndex_; }
  // Its stride in the loop around the row's is blockDim.x threads: a block-stride loop. The warps of a block
  // come to pieces of one row, each warp to pieces as far from each other. Where it begins is known before
  // the loop.
  bool stridesByBlockDim() const;

 private:
  void visit(const llvm::Value* value);

  const llvm::Loop& row_;
  const uint64_t threads_;  // blockDim.x; 0: not known
  llvm::SmallPtrSet<const llvm::Instruction*, 16> seen_;
  llvm::SmallPtrSet<const llvm::PHINode*, 2> outerPhis_;
  bool isKnown_ = true, usesBlockIdx_ = false, usesGlobalThreadIndex_ = false;
};

}  // namespace musashim::mcc
