// LLVM computes an index once in each way to a place that needs it, and has a phi bring it there. In a block
// compiled by regions such a phi is a value kept for each thread; computed again, the loop over threads knows
// what it is.
#pragma once

#include "llvm/IR/Function.h"

namespace musashim::mcc {

// Phis that get the same value whatever the way: computed where the ways meet.
void rematerializePhis(llvm::Function& function);

}  // namespace musashim::mcc
