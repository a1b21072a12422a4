// Hoists checks out of loops over threads: one check before the loop, for all of its threads.
#pragma once

#include "check_code.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Where a loop over threads accesses a row of places, versions the loop. The checks of all threads are made
// before it. If none of them needs a closer look, a copy of the loop without the checks runs, else the loop
// as it was.
void checkRows(CheckCode& code, llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace musashim::mcc
