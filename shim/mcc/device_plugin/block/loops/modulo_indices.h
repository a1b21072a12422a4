// Indices that are a remainder: they run on by one until they wrap.
#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Runs loops over threads in strips where these compute i % n, i / n, i & mask, i ^ bit or i >> s, with i one
// more from thread to thread and the other one the same for all. A strip in which no remainder wraps has rows
// for accesses, and divides once; the others and what is left over run as they were.
struct ModuloIndices : llvm::PassInfoMixin<ModuloIndices> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace musashim::mcc
