// No-wrap checks for 32-bit indices, which C++ lets wrap when they are unsigned: `out[blockIdx.x * columns +
// i]` with an `i` that grows with the thread.
//
// LLVM would check in each loop over threads whether the index wraps, and keep scalar code behind the check.
// Then nothing stays in registers from one loop to the next. Here the check is made once for all threads:
// with the condition of a loop's next iteration, and where a warp begins.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "mcc/device_plugin/block/analysis/affine_index.h"
#include "mcc/device_plugin/block/analysis/monotonic_conditions.h"

namespace musashim::mcc {

// The indices in a lockstep loop (lockstep.h).
class NoWrapChecks {
 public:
  NoWrapChecks(llvm::Loop& loop, const UnitFunction& unit, const BlockCondition& condition);

  bool empty() const { return indices_.empty(); }
  // Emits whether no index wraps between two threads in the iteration that is entered from `before`. The
  // signed value `known` is known not to.
  llvm::Value* noneWraps(const llvm::BasicBlock& before, const llvm::Value* known,
                         llvm::IRBuilder<>& builder) const;
  // Widens them to 64 bits, for iterations in which none wraps.
  void widen();

 private:
  llvm::Value* uniformTerm(llvm::Value& value, const llvm::BasicBlock* before) const;

  llvm::Loop& loop_;
  const UnitFunction& unit_;
  const BlockCondition& condition_;
  llvm::SmallVector<AffineIndex, 4> indices_;
};

// Widens to 64 bits the indices in `blocks` whose uniform terms are known at the unit's entry. Returns
// whether the unit may run them, known at the end of its entry; null when it certainly may.
llvm::Value* widenUnitIndices(const UnitFunction& unit, llvm::ArrayRef<llvm::BasicBlock*> blocks);

}  // namespace musashim::mcc
