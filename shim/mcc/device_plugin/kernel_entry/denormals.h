// Kernels whose denormal numbers are zero (-fmusa-flush-denormals-to-zero, CUDA's -ftz=true).
#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

inline constexpr llvm::StringRef kFlushDenormalsAttribute = "musa-flush-denormals";

// Marks the kernels that flush. The option is about float, but the processor's switch, which the device
// runtime uses, is about double as well: a kernel that reads or writes doubles in memory keeps all denormals.
struct DenormalsOfKernels : llvm::PassInfoMixin<DenormalsOfKernels> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace musashim::mcc
