// Uniformity analysis: which values and branches are the same for all threads of a unit, and where threads
// are converged.
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

  // The value is the same for all threads that compute it together, also where it is used later. False for
  // values made after the analysis.
  bool isUniform(const llvm::Value& value) const;
  bool hasUniformTerminator(const llvm::BasicBlock& block) const;

  // True when all threads that have not ended run the block together. No divergent branch decides about the
  // block, except for those by which threads end, and nobody polls while others go on to it
  // (threads_apart.h).
  bool isConverged(const llvm::BasicBlock& block) const { return !diverged_.contains(&block); }

 private:
  bool addJoins(const llvm::Function& function);
  void findDivergedBlocks(llvm::Function& function);
  bool addThreadsApart(const llvm::Function& function);

  const unsigned warpSize_;
  llvm::SmallPtrSet<const llvm::Value*, 8> divergent_;  // what LLVM's analysis misses
  llvm::FunctionAnalysisManager analyses_;
  llvm::UniformityInfo* info_ = nullptr;
  llvm::DenseSet<const llvm::BasicBlock*> diverged_;
  llvm::DenseSet<const llvm::Value*> analysed_;
};

}  // namespace musashim::mcc
