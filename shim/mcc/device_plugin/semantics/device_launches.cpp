#include "device_launches.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "mcc/device_plugin/kernel_entry/kernel_params.h"
#include "mcc/device_plugin/passes.h"

// What clang generates, as on the host (CGCUDARuntime::EmitCUDAKernelCallExpr):
//
//   if (__hipPushCallConfiguration(grid, block, shared, stream) == 0) kernel(arguments);
//
// with dim3 passed as System V does, x and y in one word. The configuration's values go
// straight to the launch: threads may wait for each other while arguments are computed.
namespace musashim::mcc {
namespace {

using llvm::CallInst;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

constexpr llvm::StringRef kConfigureName = "__hipPushCallConfiguration";
constexpr unsigned kConfigurationValues = 6;

CallInst* configurationIn(Value* condition) {
  if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition)) condition = compare->getOperand(0);
  auto* call = llvm::dyn_cast<CallInst>(condition);
  if (call == nullptr || call->getCalledFunction() == nullptr) return nullptr;
  return call->getCalledFunction()->getName() == kConfigureName ? call : nullptr;
}

// The configuration whose success leads to `launch`; arguments may have branches of their own.
CallInst* configurationOf(CallInst& launch, llvm::ArrayRef<CallInst*> configurations,
                          const llvm::DominatorTree& dominators) {
  CallInst* last = nullptr;
  for (CallInst* configuration : configurations) {
    if (!dominators.dominates(configuration, &launch)) continue;
    if (last == nullptr || dominators.dominates(last, configuration)) last = configuration;
  }
  return last;
}

Value* packArguments(IRBuilder<>& builder, CallInst& launch, const KernelAnnotation& facts) {
  const ParamLayout layout = layoutParams(facts);
  llvm::BasicBlock& entry = launch.getFunction()->getEntryBlock();
  IRBuilder<> atEntry(&entry, entry.getFirstInsertionPt());
  llvm::AllocaInst* buffer =
      atEntry.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), std::max<uint32_t>(layout.bytes, 1)));
  buffer->setAlignment(llvm::Align(16));
  for (const auto& [number, param] : llvm::enumerate(facts.params)) {
    Value* argument = launch.getArgOperand(static_cast<unsigned>(number));
    Value* place =
        builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), buffer, layout.slots[number].offset);
    if (param.indirect && argument->getType()->isPointerTy()) {
      builder.CreateMemCpy(place, llvm::Align(1), argument, llvm::Align(1), param.size);
    } else {
      if (argument->getType()->isIntegerTy(1)) argument = builder.CreateZExt(argument, builder.getInt8Ty());
      builder.CreateAlignedStore(argument, place, llvm::Align(1));
    }
  }
  return buffer;
}

Value* infoOf(Function& kernel) {
  llvm::Module& module = *kernel.getParent();
  const std::string name = (kKernelInfoPrefix + kernel.getName()).str();
  return module.getOrInsertGlobal(name, llvm::Type::getInt8Ty(module.getContext()));
}

void lower(CallInst& launch, CallInst& configuration) {
  Function& kernel = *launch.getCalledFunction();
  llvm::Module& module = *kernel.getParent();
  IRBuilder<> builder(&launch);
  Value* arguments = packArguments(builder, launch, kernelFacts(kernel));
  llvm::SmallVector<Value*, 8> values{infoOf(kernel), arguments};
  for (unsigned i = 0; i < kConfigurationValues; ++i) {
    Value* value = configuration.getArgOperand(i);
    values.push_back(value->getType()->isPointerTy() ? builder.CreatePtrToInt(value, builder.getInt64Ty())
                                                     : value);
  }
  llvm::SmallVector<llvm::Type*, 8> types;
  for (Value* value : values) types.push_back(value->getType());
  auto callee = module.getOrInsertFunction("__musa_device_launch",
                                           llvm::FunctionType::get(builder.getVoidTy(), types, false));
  builder.CreateCall(callee, values);
  launch.eraseFromParent();
}

class Lowering {
 public:
  explicit Lowering(Function& function) : dominators_(function) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<CallInst>(&instruction);
      if (call == nullptr || call->getCalledFunction() == nullptr) continue;
      if (configurationIn(call) != nullptr) configurations_.push_back(call);
      if (call->getCallingConv() == llvm::CallingConv::Win64) launches_.push_back(call);
    }
  }

  bool run() {
    llvm::SmallPtrSet<CallInst*, 4> lowered;
    for (CallInst* launch : launches_) {
      CallInst* configuration = configurationOf(*launch, configurations_, dominators_);
      Function& kernel = *launch->getCalledFunction();
      if (!kernel.hasFnAttribute(kKernelAttribute) || configuration == nullptr ||
          configuration->arg_size() != kConfigurationValues) {
        refuse(*launch, "device code launches the kernel " + kernel.getName() +
                            ", which no file of this link defines; kernels of other files need -rdc=true");
        if (configuration != nullptr) lowered.insert(configuration);
        continue;
      }
      lower(*launch, *configuration);
      lowered.insert(configuration);
    }
    for (CallInst* configuration : configurations_) {
      if (!lowered.contains(configuration))
        refuse(*configuration, "device code launches a kernel through a pointer; name it");
      configuration->replaceAllUsesWith(llvm::ConstantInt::get(configuration->getType(), 0));
      configuration->eraseFromParent();
    }
    return !launches_.empty() || !configurations_.empty();
  }

 private:
  static void refuse(CallInst& launch, const llvm::Twine& why) {
    launch.getContext().diagnose(
        llvm::DiagnosticInfoUnsupported(*launch.getFunction(), why, launch.getDebugLoc()));
  }

  llvm::DominatorTree dominators_;
  llvm::SmallVector<CallInst*, 4> configurations_, launches_;
};

}  // namespace

llvm::PreservedAnalyses DeviceLaunches::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  if (module.getFunction(kConfigureName) == nullptr) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (Function& function : module) {
    if (!function.isDeclaration()) changed |= Lowering(function).run();
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
