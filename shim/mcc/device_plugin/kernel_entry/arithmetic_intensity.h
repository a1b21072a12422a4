// Arithmetic intensity: how much a kernel computes for each access to device memory.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace musashim::mcc {

// True when the kernel is compute-bound, by its code alone: it computes much, or works in shared memory, for
// each access to device memory; or its threads' elements lie between each other's.
bool isComputeBound(const llvm::Function& kernel, const llvm::LoopInfo& loops);

}  // namespace musashim::mcc
