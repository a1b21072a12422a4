// The call graph: which functions of a module a kernel may run.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

namespace musashim::mcc {

using FunctionSet = llvm::SmallSetVector<llvm::Function*, 16>;

// `from` and every function it can reach: direct calls, functions whose address it
// takes, and, once it calls through a pointer, every function whose address is taken.
FunctionSet reachableFrom(llvm::Function& from);

}  // namespace musashim::mcc
