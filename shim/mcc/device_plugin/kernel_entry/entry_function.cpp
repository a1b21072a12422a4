#include "entry_function.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "reachability.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

llvm::GlobalVariable* threadState(llvm::Module& module) {
  if (llvm::GlobalVariable* existing = module.getGlobalVariable(kThreadStateName)) return existing;
  return new llvm::GlobalVariable(module, threadStateType(module.getContext()), /*isConstant=*/false,
                                  llvm::GlobalValue::ExternalLinkage, nullptr, kThreadStateName, nullptr,
                                  llvm::GlobalValue::InitialExecTLSModel);
}

// Debuggers show the kernel as inlined into its entry, at the kernel's own line.
llvm::DISubprogram* entrySubprogram(const llvm::DISubprogram& kernel) {
  return llvm::DISubprogram::getDistinct(
      kernel.getContext(), kernel.getScope(), kernel.getName(), kernel.getLinkageName(), kernel.getFile(),
      kernel.getLine(), kernel.getType(), kernel.getScopeLine(), nullptr, 0, 0, llvm::DINode::FlagArtificial,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized, kernel.getUnit());
}

}  // namespace

Function* createEntry(Function& kernel, const llvm::Twine& suffix, llvm::Type* result,
                      llvm::ArrayRef<llvm::Type*> more) {
  llvm::LLVMContext& context = kernel.getContext();
  llvm::SmallVector<llvm::Type*, 4> parameters{llvm::PointerType::getUnqual(context)};
  parameters.append(more.begin(), more.end());
  auto* type = llvm::FunctionType::get(result, parameters, false);
  Function* entry = Function::Create(type, llvm::GlobalValue::InternalLinkage, kernel.getName() + suffix,
                                     kernel.getParent());
  // Same target features as the kernel, or the inliner would refuse it.
  for (const char* attribute :
       {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "min-legal-vector-width"}) {
    if (kernel.hasFnAttribute(attribute)) entry->addFnAttr(kernel.getFnAttribute(attribute));
  }
  for (const auto sanitizer : {llvm::Attribute::SanitizeAddress, llvm::Attribute::SanitizeThread}) {
    if (kernel.hasFnAttribute(sanitizer)) entry->addFnAttr(sanitizer);
  }
  if (const llvm::DISubprogram* source = kernel.getSubprogram())
    entry->setSubprogram(entrySubprogram(*source));
  entry->addFnAttr(llvm::Attribute::NoUnwind);
  entry->addParamAttr(0, llvm::Attribute::NoAlias);
  entry->addParamAttr(0, llvm::Attribute::NonNull);
  return entry;
}

Function* createRuntimeEntry(Function& kernel, llvm::StringRef runtime,
                             llvm::function_ref<Value*(IRBuilder<>&, Value* block)> what) {
  Function* entry = createEntry(kernel, ".musa_block", llvm::Type::getVoidTy(kernel.getContext()));
  IRBuilder<> builder(kernel.getContext());
  startEntry(builder, *entry);
  llvm::Type* ptr = builder.getPtrTy();
  auto callee = kernel.getParent()->getOrInsertFunction(
      runtime, llvm::FunctionType::get(builder.getVoidTy(), {ptr, ptr}, false));
  Value* argument = what(builder, entry->getArg(0));
  builder.CreateCall(callee, {entry->getArg(0), argument});
  builder.CreateRetVoid();
  return entry;
}

void startEntry(IRBuilder<>& builder, Function& entry) {
  builder.SetInsertPoint(BasicBlock::Create(entry.getContext(), "entry", &entry));
  if (llvm::DISubprogram* program = entry.getSubprogram()) {
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(entry.getContext(), program->getLine(), 0, program));
  }
}

llvm::CallInst* callKernel(IRBuilder<>& builder, Function& kernel, llvm::ArrayRef<Value*> arguments) {
  llvm::CallInst* call = builder.CreateCall(&kernel, arguments);
  call->setCallingConv(kernel.getCallingConv());
  call->setAttributes(kernel.getAttributes().removeFnAttributes(kernel.getContext()));
  return call;
}

void inlineKernel(llvm::CallInst* call) {
  call->setCallingConv(call->getCalledFunction()->getCallingConv());
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*call, info);
}

Value* threadStateField(IRBuilder<>& builder, llvm::Module& module, unsigned field) {
  Value* state = builder.CreateThreadLocalAddress(threadState(module));
  return builder.CreateStructGEP(threadStateType(module.getContext()), state, field);
}

Value* threadIdxAddress(IRBuilder<>& builder, llvm::Module& module, unsigned axis) {
  Value* field = threadStateField(builder, module, kThreadIdxField);
  return builder.CreateConstInBoundsGEP2_32(llvm::ArrayType::get(builder.getInt32Ty(), 3), field, 0, axis);
}

void storeThread(IRBuilder<>& builder, llvm::Module& module, llvm::ArrayRef<Value*> threadIdx,
                 Value* linear) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    builder.CreateStore(threadIdx[axis], threadIdxAddress(builder, module, axis));
  }
  builder.CreateStore(linear, threadStateField(builder, module, kLinearIdxField));
}

llvm::SmallVector<std::pair<llvm::CallInst*, const Builtin*>, 16> builtinCalls(Function& function) {
  llvm::SmallVector<std::pair<llvm::CallInst*, const Builtin*>, 16> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (const Builtin* builtin = findBuiltin(calledName(instruction)))
      calls.emplace_back(llvm::cast<llvm::CallInst>(&instruction), builtin);
  }
  return calls;
}

void replaceCall(llvm::CallInst* call, Value* value) {
  call->replaceAllUsesWith(value);
  call->eraseFromParent();
}

void lowerBlockValues(Function& entry, Value* context, llvm::Instruction* at) {
  std::array<std::array<Value*, 3>, kBlockValues> values{};
  IRBuilder<> builder(at);
  for (auto [call, builtin] : builtinCalls(entry)) {
    if (builtin->value == BlockValue::kThreadIdx) continue;
    Value*& value = values[static_cast<size_t>(builtin->value)][builtin->axis];
    if (value == nullptr) value = emitBlockValue(builder, *builtin, context);
    replaceCall(call, value);
  }
}

void lowerByThreadState(Function& function) {
  llvm::Module& module = *function.getParent();
  for (auto [call, builtin] : builtinCalls(function)) {
    IRBuilder<> builder(call);
    if (builtin->value == BlockValue::kThreadIdx) {
      replaceCall(call,
                  builder.CreateLoad(builder.getInt32Ty(), threadIdxAddress(builder, module, builtin->axis)));
      continue;
    }
    Value* block = builder.CreateLoad(builder.getPtrTy(), threadStateField(builder, module, kBlockField));
    replaceCall(call, emitBlockValue(builder, *builtin, block));
  }
}

bool calleesReadThreadState(Function& kernel) {
  return llvm::any_of(reachableFrom(kernel), [&](Function* function) {
    return function != &kernel && !function->isDeclaration() && !builtinCalls(*function).empty();
  });
}

}  // namespace musashim::mcc
