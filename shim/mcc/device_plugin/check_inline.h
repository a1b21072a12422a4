// Checks become part of the code that they check.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Inlines the calls of musa_check_inline.h's functions, after simplification: until then they are short, and
// code is simplified as if it were not checked. Checks of what has turned out to be a thread's own variable
// are left out.
void inlineChecks(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);

// A check that asks the device runtime.
bool isSlowCheck(const llvm::Value& value);
// Where an access goes that is checked, unless the check finds that it must not.
const llvm::Value* uncheckedPointer(const llvm::Value* pointer);

// Whether an address of a variable of the thread's own is stored anywhere, or made a number of.
bool givesVariablesAway(llvm::Function& kernel);

}  // namespace musashim::mcc
