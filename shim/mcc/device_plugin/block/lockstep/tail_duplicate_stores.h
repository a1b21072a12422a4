// `shared[t] = i < n ? a[i] : 0` chooses a value and then stores it. Where the choice is made for all threads
// at once, each way is a loop over threads of its own, and what is chosen would go from it to the store by
// way of memory.
#pragma once

#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// Stores at the start of `meet`, where the ways behind `guard` meet, of values that depend on the way: made
// on each way instead. `ways`: the blocks between, from none of which code leads elsewhere.
void tailDuplicateStores(llvm::BranchInst& guard, llvm::BasicBlock& meet,
                         llvm::ArrayRef<llvm::BasicBlock*> ways);

}  // namespace musashim::mcc
