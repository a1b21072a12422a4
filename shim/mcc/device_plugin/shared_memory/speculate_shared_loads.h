// Speculation of loads of __shared__ variables.
#pragma once

#include "llvm/IR/Function.h"

namespace musashim::mcc {

// `if (mine) x ^= table[7];` loads for all threads, where a kernel's shared variables have that element: one
// load for a row of threads, not one for each that wants it. `kernel` is what `function`, code of one thread,
// was made of; `warpSize` of units that are warps, else 0.
void speculateSharedLoads(llvm::Function& function, const llvm::Function& kernel, unsigned warpSize);

}  // namespace musashim::mcc
