// Kernels that are to be stepped through in a debugger (-g -O0) run on fibers.
#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Gives every thread of such a kernel a stack of its own: a debugger that stops in it
// sees one thread, its variables, and its index in __musa_thread.
struct DebugThreads : llvm::PassInfoMixin<DebugThreads> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace musashim::mcc
