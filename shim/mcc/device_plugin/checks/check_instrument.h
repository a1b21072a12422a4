// Checked device code (-fmusa-check): every access and every wait of a kernel first
// tells the device runtime what it is about to do (abi/musa_check_abi.h).
#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Runs after SROA, so that scalars cost nothing, and before LowerSharedMemory, so that
// shared variables still have names and sizes. Marks kernels with kCheckedAttribute.
struct CheckInstrument : llvm::PassInfoMixin<CheckInstrument> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace musashim::mcc
