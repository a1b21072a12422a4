// Arithmetic in loops over threads that the vectoriser has no vectors for, or takes for dearer than it is, in
// terms of what it has.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// An innermost loop over threads, or one that is to become vectors whatever the cost.
bool isForVectors(const llvm::Loop& loop);

// 32-bit division, by doubles. These are exact: a double has 53 bits, and a quotient that is no whole number
// is further from the next one than it is rounded. And 64-bit division by constants, by products of halves.
struct VectorDivisions : llvm::PassInfoMixin<VectorDivisions> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Saturating conversions of floats to integers of up to 32 bits, by minima and maxima.
struct SaturatingConversions : llvm::PassInfoMixin<SaturatingConversions> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace musashim::mcc
