#include "annotations.h"
#include "device_builtins.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "passes.h"

namespace musashim::mcc {
namespace {

llvm::StringRef annotationText(const llvm::ConstantStruct& entry) {
  const auto* text = llvm::dyn_cast<llvm::GlobalVariable>(entry.getOperand(1)->stripPointerCasts());
  if (text == nullptr || !text->hasInitializer()) return {};
  const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer());
  return data != nullptr && data->isCString() ? data->getAsCString() : llvm::StringRef();
}

void keepKernel(llvm::Function& kernel, llvm::StringRef text) {
  kernel.addFnAttr(kKernelAttribute, text);
  // Nothing in the module calls a kernel, and its parameters are part of the ABI:
  // no pass may drop or change either.
  if (kernel.hasLocalLinkage()) kernel.setLinkage(llvm::GlobalValue::ExternalLinkage);
  kernel.setVisibility(llvm::GlobalValue::HiddenVisibility);
  llvm::appendToCompilerUsed(*kernel.getParent(), {&kernel});
}

// `warpSize` is an int without storage: reading it asks the device.
void replaceWarpSize(llvm::Module& module) {
  llvm::GlobalVariable* variable = module.getGlobalVariable(kWarpSizeVariable);
  if (variable == nullptr) return;
  llvm::Type* i32 = llvm::Type::getInt32Ty(module.getContext());
  auto getter = module.getOrInsertFunction(kWarpSizeName, llvm::FunctionType::get(i32, false));
  for (llvm::User* user : llvm::make_early_inc_range(variable->users())) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
    if (load == nullptr) continue;
    load->replaceAllUsesWith(llvm::CallInst::Create(getter, "", load->getIterator()));
    load->eraseFromParent();
  }
}

}  // namespace

llvm::PreservedAnalyses ReadSourceFacts::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  replaceWarpSize(module);
  llvm::GlobalVariable* annotations = module.getGlobalVariable("llvm.global.annotations");
  if (annotations == nullptr) return llvm::PreservedAnalyses::all();
  const auto* entries = llvm::cast<llvm::ConstantArray>(annotations->getInitializer());
  for (const llvm::Use& use : entries->operands()) {
    const auto* entry = llvm::cast<llvm::ConstantStruct>(use.get());
    const llvm::StringRef text = annotationText(*entry);
    llvm::Value* target = entry->getOperand(0)->stripPointerCasts();
    if (auto* function = llvm::dyn_cast<llvm::Function>(target)) {
      if (text.starts_with(kKernelAnnotation)) {
        keepKernel(*function, text);
      }
    } else if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(target)) {
      if (text == kSharedAnnotation) variable->addAttribute(kSharedAnnotation);
    }
  }
  annotations->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
