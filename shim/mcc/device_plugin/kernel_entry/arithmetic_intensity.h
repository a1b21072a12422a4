// How much a kernel calculates for what it reads and writes.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace musashim::mcc {

// True when the kernel calculates much, or works in shared memory, for each access to device memory, by its code
// alone: what bounds it is the processor then.
bool isIntense(const llvm::Function& kernel, const llvm::LoopInfo& loops);

}  // namespace musashim::mcc
