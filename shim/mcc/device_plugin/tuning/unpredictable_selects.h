#pragma once

#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// Marks selects that say by loaded data where a loop goes on (down a tree, say), so that the code generator
// makes no branches of them: these cannot be predicted.
struct UnpredictableSelects : llvm::PassInfoMixin<UnpredictableSelects> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace musashim::mcc
