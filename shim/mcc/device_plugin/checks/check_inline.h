// Folds checks that cannot fail, and inlines the others.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Before kernels are compiled to loops over threads: removes checks of private variables, and specializes
// checks of what has turned out to be shared memory.
void settleChecks(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);
// Inlines the calls of musa_check_inline.h's functions, after the other passes: until then they are short,
// and code is simplified as if it were not checked.
void inlineChecks(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);

// The address before the check, which is the address accessed unless the check fails.
const llvm::Value* uncheckedPointer(const llvm::Value* pointer);

// Escape analysis: whether the address of a private variable is stored anywhere, or converted to an integer.
bool privateVariablesEscape(llvm::Function& kernel);

}  // namespace musashim::mcc
