// Tail duplication of stores behind a guard. `shared[t] = i < n ? a[i] : 0` selects a value and then stores
// it. Where the guard is versioned for all threads, each path is a loop over threads of its own, and the
// value would go from there to the store through memory.
#pragma once

#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// Moves stores at the start of `join` whose value depends on the path onto each path. `paths`: the blocks
// between `guard` and `join`, with no edges elsewhere.
void tailDuplicateStores(llvm::BranchInst& guard, llvm::BasicBlock& join,
                         llvm::ArrayRef<llvm::BasicBlock*> paths);

}  // namespace musashim::mcc
