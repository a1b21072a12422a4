// Checks of loops over threads: before one runs, for all of its threads at once.
#pragma once

#include "check_code.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Where the checks of a loop over threads are of places that lie in a row, the loop asks for all of them
// first. When none needs a closer look, a copy of the loop runs that has no such checks; else the loop as it
// was.
void checkRows(CheckCode& code, llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace musashim::mcc
