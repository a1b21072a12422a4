// Atomic updates of shared memory need no atomic instructions: one host thread runs all
// threads of a block.
#pragma once

#include "llvm/IR/Function.h"

namespace musashim::mcc {

// On accesses that may depend on those of other threads between barriers.
inline constexpr llvm::StringRef kDependentMetadata = "musa.dependent";

// Only once the function is not optimised as a single thread's any more, and before the
// getters of shared memory are replaced.
void lowerSharedAtomics(llvm::Function& function);

}  // namespace musashim::mcc
