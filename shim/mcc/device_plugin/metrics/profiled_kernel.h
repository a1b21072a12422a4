// -fmusa-profile: a copy of a kernel that counts what it does, beside the kernel.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

struct ProfiledKernel {
  llvm::Function* kernel = nullptr;          // the copy, with all inlined that can be
  llvm::GlobalVariable* counters = nullptr;  // its MusaMetricsKernel
};

// Of a kernel before its entry is made.
ProfiledKernel profileKernel(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);

// The entry of both: the runtime chooses for each block which runs.
llvm::Function* createProfiledEntry(llvm::Function& kernel, llvm::Function* plain, llvm::Function* profiled,
                                    llvm::GlobalVariable* counters);

// Has the image say when it is loaded and unloaded.
void registerProfiles(llvm::Module& module, llvm::ArrayRef<llvm::GlobalVariable*> counters);

}  // namespace musashim::mcc
