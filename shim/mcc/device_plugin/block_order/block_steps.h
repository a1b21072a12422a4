// Steps: places where the warps of a block that come along wait for each other, though the source does not
// say so, because it counts on their order on hardware (block_hazards.h).
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Puts steps between reads of shared memory and writes of other warps to the same elements. Also into the
// copy from before optimisation, where there is one.
void stepAtBlockHazards(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);

// The same for a kernel that is compiled without optimisation: an optimised copy says whether it needs steps.
// It is asked before any kernel is changed, as they may have functions in common.
bool countsOnBlock(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
// Puts a step before each write that could meet a read.
void stepUnoptimized(llvm::Function& kernel);

}  // namespace musashim::mcc
