// Minima and maxima put -0 below +0 (semantics/gpu_arithmetic.cpp), which costs as much as they do.
#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Leaves the order of zeros out where it turns out that neither number is negative.
struct OrderedZeros : llvm::PassInfoMixin<OrderedZeros> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace musashim::mcc
