#include "declared_functions.h"

#include "llvm/IR/IRBuilder.h"

namespace musashim::mcc {

void failAsAssertion(llvm::Function& function, llvm::Value* expression, llvm::Value* file, llvm::Value* line,
                     llvm::Value* where) {
  llvm::Module& module = *function.getParent();
  // Of the program's own files one may have a function of the name.
  function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  function.setVisibility(llvm::GlobalValue::HiddenVisibility);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &function));
  llvm::Type* pointer = builder.getPtrTy();
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer, builder.getInt32Ty(), pointer},
                                       /*isVarArg=*/false);
  llvm::CallInst* fail = builder.CreateCall(module.getOrInsertFunction("__musa_assert_fail", type),
                                            {expression, file, line, where});
  fail->setDoesNotReturn();
  builder.CreateUnreachable();
}

void defineDeclaredFunctions(llvm::Module& module) {
  // void __assertfail(const void* message, const void* file, unsigned line, const void* function, size_t)
  llvm::Function* failed = module.getFunction("__assertfail");
  if (failed == nullptr || !failed->isDeclaration() || failed->arg_size() != 5) return;
  if (!failed->getArg(2)->getType()->isIntegerTy(32)) return;
  for (const unsigned text : {0u, 1u, 3u}) {
    if (!failed->getArg(text)->getType()->isPointerTy()) return;
  }
  failAsAssertion(*failed, failed->getArg(0), failed->getArg(1), failed->getArg(2), failed->getArg(3));
}

}  // namespace musashim::mcc
