// Where threads come from an instruction without the block's waiting for each other in between.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// Instructions before which there is a step.
using StepPoints = llvm::SmallPtrSet<const llvm::Instruction*, 8>;

// The block's threads wait for each other there: at a barrier or a step, or as the program has found itself,
// by polling.
bool ordersBlock(const llvm::Instruction& instruction);

class BarrierFreePaths {
 public:
  explicit BarrierFreePaths(const StepPoints& points) : points_(points) {}

  // Calls `visit` for each instruction that threads may come to from `from`, itself left out unless they come
  // back; until it returns false. Not through the block `avoided`.
  void follow(const llvm::Instruction& from, const llvm::BasicBlock* avoided,
              llvm::function_ref<bool(const llvm::Instruction&)> visit) const;
  bool lead(const llvm::Instruction& from, const llvm::Instruction& to,
            const llvm::BasicBlock* avoided = nullptr) const;
  // Into the block `through` and on.
  bool leadThrough(const llvm::Instruction& from, const llvm::BasicBlock& through,
                   const llvm::Instruction& to) const;

 private:
  bool isEnd(const llvm::Instruction& instruction) const {
    return points_.contains(&instruction) || ordersBlock(instruction);
  }

  const StepPoints& points_;
};

}  // namespace musashim::mcc
