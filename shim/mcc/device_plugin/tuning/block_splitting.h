#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Cuts huge basic blocks into parts. Instruction selection takes time that grows with the square of a block's
// instructions: unrolled kernels have blocks of ten thousand.
struct BlockSplitting : llvm::PassInfoMixin<BlockSplitting> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace musashim::mcc
