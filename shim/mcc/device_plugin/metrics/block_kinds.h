// Kinds of a kernel's blocks: those of one kind go the same ways and touch memory in the same pattern, so
// that one is counted for all of them.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// A function, uint64_t(const MusaBlockContext*), that tells a block's kind among those of launches with the
// same sizes. Arguments have a part in it as far as they matter: pointers, by where in a sector they point
// to. A null pointer where what blocks do depends on what they read, or in another way on their index than by
// a sum. `copy` is `kernel` with all inlined that can be.
llvm::Constant* createBlockKinds(llvm::Function& kernel, llvm::Function& copy,
                                 llvm::FunctionAnalysisManager& analyses);

}  // namespace musashim::mcc
