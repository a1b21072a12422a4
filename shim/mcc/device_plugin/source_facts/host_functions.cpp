#include "host_functions.h"

#include "annotations.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "module_annotations.h"

namespace musashim::mcc {
namespace {

// `text`: its annotation (annotations.h).
void failWhereCalled(llvm::Function& function, llvm::StringRef text) {
  const auto [line, file] = text.drop_front(kHostAnnotation.size()).split(':');
  unsigned number = 0;
  line.getAsInteger(10, number);
  llvm::Module& module = *function.getParent();
  function.deleteBody();  // of an inline member
  function.setComdat(nullptr);
  function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  function.setVisibility(llvm::GlobalValue::HiddenVisibility);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &function));
  llvm::Type* pointer = builder.getPtrTy();
  auto* failing =
      llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer, builder.getInt32Ty(), pointer},
                              /*isVarArg=*/false);
  const auto string = [&](llvm::StringRef value) { return builder.CreateGlobalString(value, ".str"); };
  llvm::CallInst* fail =
      builder.CreateCall(module.getOrInsertFunction("__musa_assert_fail", failing),
                         {string("a __host__ function is not called by device code"), string(file),
                          builder.getInt32(number), string(llvm::demangle(function.getName().str()))});
  fail->setDoesNotReturn();
  builder.CreateUnreachable();
}

}  // namespace

void failInHostFunctions(llvm::Module& module) {
  forEachAnnotation(module, [](llvm::GlobalValue& target, llvm::StringRef text) {
    auto* function = llvm::dyn_cast<llvm::Function>(&target);
    if (function != nullptr && text.starts_with(kHostAnnotation)) failWhereCalled(*function, text);
  });
  removeAnnotations(module, kHostAnnotation);
}

}  // namespace musashim::mcc
