// Indices of 32 bits that C++ lets wrap, as in `out[blockIdx.x * columns + i]` with an `i` that grows by
// threads. LLVM would ask in each loop over threads whether one does, and keep code for threads one by one
// behind the question, so that nothing stays in registers from one loop to the next. Here it is asked once
// for all threads: with what decides whether a loop has another round, and where a warp begins.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "mcc/device_plugin/block/analysis/affine_index.h"
#include "mcc/device_plugin/block/analysis/monotonic_conditions.h"

namespace musashim::mcc {

// In rounds of a loop that all threads run.
class NoWrapChecks {
 public:
  NoWrapChecks(llvm::Loop& loop, const UnitFunction& unit, const BlockCondition& condition);

  bool empty() const { return indices_.empty(); }
  // Emits whether none wraps between two threads in the round that is entered from `before`; that the signed
  // value `known` does not has been asked.
  llvm::Value* inOrder(const llvm::BasicBlock& before, const llvm::Value* known,
                       llvm::IRBuilder<>& builder) const;
  // Has them computed in 64 bits, for rounds of which that is known.
  void widen();

 private:
  llvm::Value* uniformTerm(llvm::Value& value, const llvm::BasicBlock* before) const;

  llvm::Loop& loop_;
  const UnitFunction& unit_;
  const BlockCondition& condition_;
  llvm::SmallVector<AffineIndex, 4> indices_;
};

// Has indices in `blocks` that the unit's entry knows, but for the thread's, computed in 64 bits. Returns
// whether the unit may run them, known at the end of its entry; null when that is certain.
llvm::Value* widenUnitIndices(const UnitFunction& unit, llvm::ArrayRef<llvm::BasicBlock*> blocks);

}  // namespace musashim::mcc
