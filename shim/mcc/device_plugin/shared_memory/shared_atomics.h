// Lowers atomics on shared memory to plain loads and stores: one host thread runs all threads of a block.
#pragma once

#include "llvm/IR/Function.h"

namespace musashim::mcc {

// On accesses that threads depend on each other by, between barriers.
inline constexpr llvm::StringRef kDependentMetadata = "musa.dependent";

// Only once the function is not optimised as a single thread's any more, and before the getters of shared
// memory are lowered.
void lowerSharedAtomics(llvm::Function& function);

}  // namespace musashim::mcc
