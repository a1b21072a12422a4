// Warp-synchronous kernels that are compiled without optimisation.
#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Without optimisation the addresses of accesses say nothing: all that they are made of is in variables.
// Whether the kernel counts on its warps shows in an optimised copy. It is asked before any kernel is
// changed: points in functions that kernels have in common would look like meetings of the next one's lanes.
bool countsOnWarps(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
// Has lanes converge before each access that could meet another one and where they ask who is active, or only
// there.
enum class ConvergeAt { kAccesses, kActiveMasks };
void convergeUnoptimized(llvm::Function& kernel, ConvergeAt where);

}  // namespace musashim::mcc
