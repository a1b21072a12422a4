// The first pass of the LLVM half: turns what the clang half has found out into function attributes.
#include "annotations.h"
#include "launch_sizes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/device_target.h"
#include "mcc/device_plugin/passes.h"
#include "module_annotations.h"
#include "module_facts.h"

namespace musashim::mcc {
namespace {

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

unsigned numberIn(const llvm::MDNode& node, unsigned operand) {
  return static_cast<unsigned>(
      llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(operand))->getZExtValue());
}

// What the clang half would say of separately compiled units.
void readModuleFacts(llvm::Module& module) {
  if (const llvm::NamedMDNode* launches = module.getNamedMetadata(kLaunchSizesMetadata)) {
    for (const llvm::MDNode* launch : launches->operands()) {
      const auto* kernel = llvm::cast<llvm::MDString>(launch->getOperand(0));
      LaunchSizes::instance().add(kernel->getString().str(),
                                  {numberIn(*launch, 1), numberIn(*launch, 2), numberIn(*launch, 3)});
    }
  }
  if (const llvm::NamedMDNode* sizes = module.getNamedMetadata(kWarpSizesMetadata)) {
    DeviceTarget& target = DeviceTarget::instance();
    const llvm::MDNode& node = *sizes->getOperand(0);
    target.warpSize = numberIn(node, 0);
    target.otherWarpSizes.clear();
    for (unsigned i = 1; i < node.getNumOperands(); ++i) target.otherWarpSizes.push_back(numberIn(node, i));
  }
}

}  // namespace

llvm::PreservedAnalyses ReadSourceFacts::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  readModuleFacts(module);
  replaceWarpSize(module);
  llvm::GlobalVariable* annotations = module.getGlobalVariable("llvm.global.annotations");
  if (annotations == nullptr) return llvm::PreservedAnalyses::all();
  forEachAnnotation(module, [](llvm::GlobalValue& target, llvm::StringRef text) {
    if (auto* function = llvm::dyn_cast<llvm::Function>(&target)) {
      if (text.starts_with(kKernelAnnotation)) keepKernel(*function, text);
    } else if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&target)) {
      if (text == kSharedAnnotation) variable->addAttribute(kSharedAnnotation);
      if (text == kReferenceAnnotation) keepReference(*variable);
    }
  });
  annotations->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
