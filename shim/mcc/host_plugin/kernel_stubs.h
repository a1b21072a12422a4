// Kernels as host code sees them.
#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// A kernel's name stands for its stub, as nvcc has it: clang gives it to a variable that holds the stub's
// address, which only launches read, so that a call through a function pointer would run into data. And a
// stub that is called where nothing was launched does nothing. Runs while clang's names are in place.
struct KernelStubs : llvm::PassInfoMixin<KernelStubs> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace musashim::mcc
