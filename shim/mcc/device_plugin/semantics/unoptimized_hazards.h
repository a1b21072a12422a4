// Warp-synchronous kernels that are compiled without optimisation.
#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Without optimisation the addresses of accesses say nothing: all that they are made of is in variables.
// Whether the kernel counts on its warps shows in an optimised copy. If so, lanes converge before each access
// that could meet another one.
void convergeUnoptimized(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);

}  // namespace musashim::mcc
