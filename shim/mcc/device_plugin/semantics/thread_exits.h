// Threads that end by an instruction (PTX's exit), wherever they are.
#pragma once

#include "llvm/IR/Function.h"

namespace musashim::mcc {

// A kernel's own ends of threads, those of functions inlined into it included, become returns.
void returnAtThreadExits(llvm::Function& kernel);

}  // namespace musashim::mcc
