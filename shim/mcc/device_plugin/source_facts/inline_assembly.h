// Inline assembly that the vendor's compiler takes (frontend/assembly/vendor_assembly.h).
#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Calls what does the same in its place.
struct InlineAssembly : llvm::PassInfoMixin<InlineAssembly> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace musashim::mcc
