// Device code that was compiled before, taken from disk in place of all that LLVM would do. What tells that
// it is the same is the module that clang's front end makes of the source, so every compilation reads the
// source anew and says what is wrong with it. The driver's half is driver/kept/code_cache.h.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Before all other passes. Where the code is known, writes it to a file and empties the module; else notes
// under which name it is to be kept, unless LLVM says something: that would not be said the next time.
// Does nothing without the driver's options.
class CodeCache : public llvm::PassInfoMixin<CodeCache> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace musashim::mcc
