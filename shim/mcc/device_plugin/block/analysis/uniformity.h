// Which values and branches are the same for all threads of a unit, a block or a warp.
#pragma once

#include <memory>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

class Uniformity {
 public:
  // `warpSize`: of units that are warps, else 0.
  Uniformity(llvm::Function& function, unsigned warpSize);

  // The value is the same for all threads that compute it together, also where it is used
  // later. Of values made since the analysis nothing is known.
  bool isUniform(const llvm::Value& value) const;
  bool hasUniformTerminator(const llvm::BasicBlock& block) const;

  // True when all threads that have not ended run the block together: no branch on
  // which they part decides about it, but for branches by which threads end.
  bool isConverged(const llvm::BasicBlock& block) const { return !parted_.contains(&block); }

 private:
  bool addJoins(const llvm::Function& function);
  void findDivergedBlocks(llvm::Function& function);

  llvm::SmallPtrSet<const llvm::Value*, 8> joins_;  // that the analysis does not find
  llvm::FunctionAnalysisManager analyses_;
  llvm::UniformityInfo* info_ = nullptr;
  llvm::DenseSet<const llvm::BasicBlock*> parted_;
  llvm::DenseSet<const llvm::Value*> analysed_;
};

}  // namespace musashim::mcc
