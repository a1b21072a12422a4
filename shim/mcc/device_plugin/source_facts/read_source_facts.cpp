// The first pass of the LLVM half: turns what the clang half has found out into function attributes.
#include "annotations.h"
#include "builtin_variables.h"
#include "constant_variables.h"
#include "declared_functions.h"
#include "host_functions.h"
#include "launch_sizes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
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

// `extern __shared__ int table[64];` is a definition.
void defineSizedShared(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.isDeclaration() || !variable.getName().starts_with(kSizedSharedPrefix)) continue;
    const std::string name = variable.getName().drop_front(kSizedSharedPrefix.size()).str();
    variable.setName(name);
    variable.setInitializer(llvm::UndefValue::get(variable.getValueType()));
    variable.setLinkage(llvm::GlobalValue::InternalLinkage);
    variable.setVisibility(llvm::GlobalValue::DefaultVisibility);
    variable.addAttribute(kSharedAnnotation);
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

void markRereads(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::LoadInst>(instruction) && instruction.isVolatile())
      instruction.setMetadata(kRereadAnnotation, llvm::MDNode::get(context, {}));
  }
}

}  // namespace

llvm::PreservedAnalyses ReadSourceFacts::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  readModuleFacts(module);
  replaceBuiltinVariables(module);
  defineSizedShared(module);
  failInHostFunctions(module);
  defineDeclaredFunctions(module);
  llvm::GlobalVariable* annotations = module.getGlobalVariable("llvm.global.annotations");
  if (annotations == nullptr) return llvm::PreservedAnalyses::all();
  forEachAnnotation(module, [](llvm::GlobalValue& target, llvm::StringRef text) {
    if (auto* function = llvm::dyn_cast<llvm::Function>(&target)) {
      if (text.starts_with(kKernelAnnotation)) keepKernel(*function, text);
      if (text == kRereadAnnotation) markRereads(*function);
    } else if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&target)) {
      if (text == kConstantAnnotation) variable->addAttribute(kConstantAnnotation);
      if (text == kSharedAnnotation) variable->addAttribute(kSharedAnnotation);
      if (text == kReferenceAnnotation) keepReference(*variable);
    }
  });
  annotations->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
