// Constant memory does not change while a kernel runs.
#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Says so of loads of __constant__ variables, whatever is stored in between. True when there are some.
bool markConstantLoads(llvm::Function& function);

struct ConstantMemory : llvm::PassInfoMixin<ConstantMemory> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace musashim::mcc
