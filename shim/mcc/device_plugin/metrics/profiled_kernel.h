// -fmusa-profile: a copy of a kernel that counts what it does, beside the kernel.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

struct ProfiledKernel {
  llvm::Function* kernel = nullptr;          // the copy, with all inlined that can be
  llvm::GlobalVariable* counters = nullptr;  // its MusaMetricsKernel
  llvm::Constant* kinds = nullptr;           // of its blocks: block_kinds.h
};

// Of a kernel before its entry is made.
ProfiledKernel profileKernel(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);

// The entry of both, the plain one and the `counting` one: the runtime chooses for each block which runs.
llvm::Function* createProfiledEntry(llvm::Function& kernel, llvm::Function* plain, llvm::Function* counting,
                                    const ProfiledKernel& profile);

// Has the image say when it is loaded and unloaded.
void registerProfiles(llvm::Module& module, llvm::ArrayRef<llvm::GlobalVariable*> counters);

}  // namespace musashim::mcc
