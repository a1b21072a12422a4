#include "inline_assembly.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "mcc/frontend/assembly/vendor_assembly.h"

namespace musashim::mcc {
namespace {

llvm::StringRef functionOf(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* code = call != nullptr ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return code != nullptr ? functionOfAssembly(code->getAsmString()) : llvm::StringRef();
}

}  // namespace

llvm::PreservedAnalyses InlineAssembly::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& function : module) {
    llvm::SmallVector<llvm::Instruction*, 4> found;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (!functionOf(instruction).empty()) found.push_back(&instruction);
    }
    for (llvm::Instruction* instruction : found) {
      llvm::IRBuilder<> builder(instruction);
      const llvm::FunctionCallee callee =
          module.getOrInsertFunction(functionOf(*instruction), builder.getVoidTy());
      llvm::CallInst* call = builder.CreateCall(callee);
      call->setDoesNotReturn();
      call->setDoesNotThrow();
      changed = true;
    }
    for (llvm::Instruction* instruction : found) llvm::changeToUnreachable(instruction);
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
