// What the address of an access in a loop over a row of threads is made of.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

bool isBlockIdxX(const llvm::Value& value);
bool isBlockDimX(const llvm::Value& value);
// Where the block's shared memory is.
bool isSharedMemory(const llvm::Value& value);
// What `access` loads or stores at `pointer` is the block's own: shared, or private to its threads.
bool isBlockLocal(const llvm::Instruction& access, const llvm::Value& pointer);

// The same parameter of a kernel, be it that each is read for itself from the block's context.
bool isSameParameter(const llvm::Value& left, const llvm::Value& right);

// May be done once more, elsewhere and with other operands.
bool isPure(const llvm::Instruction& instruction);

// The loop around `row`, or itself, whose index `phi` may be; null: it comes from elsewhere.
const llvm::Loop* loopOf(const llvm::PHINode& phi, const llvm::Loop& row);

class CoalescedAddress {
 public:
  CoalescedAddress(const llvm::Value& pointer, const llvm::Loop& row);

  // Another block's is calculated in the same way from its blockIdx.x.
  bool isKnownForOthers() const { return isClear_ && namesBlock_; }
  // It depends on a loop around the row's.
  bool dependsOnOuterLoop() const { return !rounds_.empty(); }
  // It is that of an element of the thread's number in the grid (`blockIdx.x * blockDim.x + threadIdx.x`).
  bool countsThreads() const { return isKnownForOthers() && countsThreads_; }
  // From one round of the loop around the row's to the next it goes on by blockDim.x threads: the warps of a
  // block come to pieces of one row, each to those that are as far from each other. Where it begins is known
  // before.
  bool goesByBlocks() const;

 private:
  void visit(const llvm::Value* value);

  const llvm::Loop& row_;
  const uint64_t threads_;  // blockDim.x; 0: not known
  llvm::SmallPtrSet<const llvm::Instruction*, 16> seen_;
  llvm::SmallPtrSet<const llvm::PHINode*, 2> rounds_;
  bool isClear_ = true, namesBlock_ = false, countsThreads_ = false;
};

}  // namespace musashim::mcc
