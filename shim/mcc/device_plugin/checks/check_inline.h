// Checks become part of the code that they check.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Before kernels are compiled to loops over threads: checks of what has turned out to be a thread's own
// variable are left out, and those of what has turned out to be shared memory become such.
void settleChecks(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);
// Inlines the calls of musa_check_inline.h's functions, when all else is done: until then they are short, and
// code is simplified as if it were not checked.
void inlineChecks(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);

// Where an access goes that is checked, unless the check finds that it must not.
const llvm::Value* uncheckedPointer(const llvm::Value* pointer);

// Whether an address of a variable of the thread's own is stored anywhere, or made a number of.
bool givesVariablesAway(llvm::Function& kernel);

}  // namespace musashim::mcc
