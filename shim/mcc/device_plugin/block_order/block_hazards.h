// Shared memory that the warps of a block use again without a barrier between reads and the next write.
//
// Two sums over a block that share an array are the usual case: everybody reads the first one's result, and
// then the warps write their parts of the second. By the memory model that is a race. On hardware it goes
// well, because the warps of a block go about in step: all have read long before one comes to write. Whether
// a kernel does so shows in the addresses, where they are made of thread indices, sizes and constants: some
// warp writes what another one has read since the last barrier.
#pragma once

#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace musashim::mcc {

struct BlockHazard {
  llvm::Instruction* write;
  llvm::SmallVector<llvm::Instruction*, 4> reads;  // before it, by other warps; without a barrier in between
};

// `name`: of the kernel that the function is, or is a copy of.
std::vector<BlockHazard> blockHazards(llvm::Function& function, llvm::StringRef name);

}  // namespace musashim::mcc
