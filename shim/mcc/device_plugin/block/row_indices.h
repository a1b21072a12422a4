// Indices of 32 bits in rounds of a loop that all threads run: `out[blockIdx.x * columns + i]` with an `i`
// that grows by threads. C++ lets most of them wrap. LLVM would ask in each loop over threads whether one
// does, and keep code for threads one by one behind the question, so that no sum stays in registers from
// round to round. Here it is asked once for all threads, with what decides whether there is another round.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "monotone.h"

namespace musashim::mcc {

class RowIndices {
 public:
  // Those of the loop that are a thread's index and what is the same for all threads.
  RowIndices(llvm::Loop& loop, const UnitFunction& unit, const BlockCondition& condition);

  bool empty() const { return indices_.empty(); }
  // Emits whether none wraps between two threads in the round that is entered from `before`.
  llvm::Value* inOrder(const llvm::BasicBlock& before, llvm::IRBuilder<>& builder) const;
  // Has them computed in 64 bits, for rounds of which that is known.
  void widen();

 private:
  llvm::CallInst* threadOf(llvm::Value& value, unsigned deepest) const;
  llvm::Value* at(llvm::Value& value, llvm::Value* thread, const llvm::BasicBlock* before,
                  llvm::IRBuilder<>& builder) const;
  bool isLeaf(const llvm::Value& value) const;

  llvm::Loop& loop_;
  const UnitFunction& unit_;
  const BlockCondition& condition_;
  llvm::SmallVector<std::pair<llvm::CastInst*, llvm::CallInst*>, 4>
      indices_;  // with the thread's index in each
};

}  // namespace musashim::mcc
