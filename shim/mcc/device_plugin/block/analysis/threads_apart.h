// Where threads of a unit are apart although no divergent branch says so.
//
// Threads that poll, some of a unit's, let the others run: these may go on behind the place where the source
// would have all meet, up to the next operation that waits for every one. In a loop without such an operation
// they come past the same code once more while others have not come there yet.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"

namespace musashim::mcc {

class ThreadsApart {
 public:
  // `warpSize`: of units that are warps, else 0.
  explicit ThreadsApart(unsigned warpSize) : warpSize_(warpSize) {}

  // `isDiverged`: blocks that not all threads run together. Those of them that poll are where it begins.
  void find(const llvm::Function& function, llvm::function_ref<bool(const llvm::BasicBlock&)> isDiverged);

  // Blocks that threads enter or leave apart.
  const llvm::SetVector<const llvm::BasicBlock*>& blocks() const { return blocks_; }
  // Values that one thread may have of another time than the other: what is loaded, and what a loop carries
  // that threads pass again before all have met.
  const llvm::SetVector<const llvm::Value*>& valuesOfOtherTimes() const { return values_; }

 private:
  bool meetsAll(const llvm::Instruction& instruction) const;
  bool holdsMeeting(const llvm::BasicBlock& block) const;
  bool comesAgain(const llvm::BasicBlock& block) const;
  void collectValues(const llvm::BasicBlock& block, bool entersApart);

  const unsigned warpSize_;
  llvm::SetVector<const llvm::BasicBlock*> blocks_;
  llvm::SetVector<const llvm::Value*> values_;
};

}  // namespace musashim::mcc
