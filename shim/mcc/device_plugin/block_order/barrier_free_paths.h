// Where threads come from an instruction without waiting for each other in between.
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

// `ends`: where they wait; those of the block, or of a warp (isMeeting).
class BarrierFreePaths {
 public:
  explicit BarrierFreePaths(const StepPoints& points, bool (*ends)(const llvm::Instruction&) = ordersBlock)
      : points_(points), ends_(ends) {}

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
    return points_.contains(&instruction) || ends_(instruction);
  }

  const StepPoints& points_;
  bool (*const ends_)(const llvm::Instruction&);
};

}  // namespace musashim::mcc
