#include "device_builtins.h"
#include "kernel_params.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "passes.h"
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

Value* threadStateField(IRBuilder<>& builder, llvm::Module& module, unsigned field) {
  Value* state = builder.CreateThreadLocalAddress(threadState(module));
  return builder.CreateStructGEP(threadStateType(module.getContext()), state, field);
}

Value* threadIdxAddress(IRBuilder<>& builder, llvm::Module& module, unsigned axis) {
  Value* field = threadStateField(builder, module, kThreadIdxField);
  return builder.CreateConstInBoundsGEP2_32(llvm::ArrayType::get(builder.getInt32Ty(), 3), field, 0, axis);
}

bool callsCollective(Function& kernel) {
  return llvm::any_of(reachableFrom(kernel), [](Function* f) { return isThreadCollective(f->getName()); });
}

llvm::SmallVector<std::pair<llvm::CallInst*, const Builtin*>, 16> builtinCalls(Function& function) {
  llvm::SmallVector<std::pair<llvm::CallInst*, const Builtin*>, 16> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr || call->getCalledFunction() == nullptr) continue;
    if (const Builtin* builtin = findBuiltin(call->getCalledFunction()->getName()))
      calls.emplace_back(call, builtin);
  }
  return calls;
}

// True when `kernel` runs a function, not inlined into it, that asks which thread it is.
bool calleesReadThreadState(Function& kernel) {
  return llvm::any_of(reachableFrom(kernel), [&](Function* function) {
    return function != &kernel && !function->isDeclaration() && !builtinCalls(*function).empty();
  });
}

void replaceCall(llvm::CallInst* call, Value* value) {
  call->replaceAllUsesWith(value);
  call->eraseFromParent();
}

// Functions that stay outside of a kernel's entry find their thread in the thread-local state.
void lowerBuiltinsByThreadState(Function& function) {
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

// In an entry, block values come from its context, loaded once; thread indices from `threadIdx`.
void lowerBuiltinsByContext(Function& entry, Value* context, llvm::Instruction* blockValuesAt,
                            llvm::ArrayRef<Value*> threadIdx) {
  std::array<std::array<Value*, 3>, 8> values{};
  IRBuilder<> builder(blockValuesAt);
  for (auto [call, builtin] : builtinCalls(entry)) {
    if (builtin->value == BlockValue::kThreadIdx) {
      replaceCall(call, threadIdx[builtin->axis]);
      continue;
    }
    Value*& value = values[static_cast<size_t>(builtin->value)][builtin->axis];
    if (value == nullptr) value = emitBlockValue(builder, *builtin, context);
    replaceCall(call, value);
  }
}

// Debuggers show the kernel as inlined into its entry, at the kernel's own line.
llvm::DISubprogram* entrySubprogram(const llvm::DISubprogram& kernel) {
  return llvm::DISubprogram::getDistinct(
      kernel.getContext(), kernel.getScope(), kernel.getName(), kernel.getLinkageName(), kernel.getFile(),
      kernel.getLine(), kernel.getType(), kernel.getScopeLine(), nullptr, 0, 0, llvm::DINode::FlagArtificial,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized, kernel.getUnit());
}

// Puts `builder` at the start of `entry`. What it makes has a location: calls without
// one cannot be inlined into functions with debug info.
void startEntry(IRBuilder<>& builder, Function& entry) {
  builder.SetInsertPoint(BasicBlock::Create(entry.getContext(), "entry", &entry));
  if (llvm::DISubprogram* program = entry.getSubprogram()) {
    builder.SetCurrentDebugLocation(llvm::DILocation::get(entry.getContext(), program->getLine(), 0, program));
  }
}

Function* createEntry(Function& kernel, const llvm::Twine& suffix) {
  llvm::LLVMContext& context = kernel.getContext();
  auto* type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::PointerType::getUnqual(context)}, false);
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
  if (const llvm::DISubprogram* source = kernel.getSubprogram()) entry->setSubprogram(entrySubprogram(*source));
  entry->addFnAttr(llvm::Attribute::NoUnwind);
  entry->addParamAttr(0, llvm::Attribute::NoAlias);
  entry->addParamAttr(0, llvm::Attribute::ReadOnly);
  entry->addParamAttr(0, llvm::Attribute::NonNull);
  return entry;
}

void inlineKernel(llvm::CallInst* call) {
  call->setCallingConv(call->getCalledFunction()->getCallingConv());
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*call, info);
}

llvm::CallInst* callKernel(IRBuilder<>& builder, Function& kernel, llvm::ArrayRef<Value*> arguments) {
  llvm::CallInst* call = builder.CreateCall(&kernel, arguments);
  call->setCallingConv(kernel.getCallingConv());
  call->setAttributes(kernel.getAttributes().removeFnAttributes(kernel.getContext()));
  return call;
}

// --- A fiber per thread ------------------------------------------------------------

// The kernel as one thread of a block runs it (MusaThreadFunction).
Function* createThreadFunction(Function& kernel) {
  Function* thread = createEntry(kernel, ".musa_thread");
  IRBuilder<> builder(kernel.getContext());
  startEntry(builder, *thread);
  std::vector<Value*> threadIdx;
  for (unsigned axis = 0; axis < 3; ++axis) {
    threadIdx.push_back(
        builder.CreateLoad(builder.getInt32Ty(), threadIdxAddress(builder, *kernel.getParent(), axis)));
  }
  const std::vector<Value*> arguments = loadParams(kernel, thread->getArg(0), builder, builder);
  llvm::CallInst* call = callKernel(builder, kernel, arguments);
  builder.CreateRetVoid();
  auto* anchor = llvm::cast<llvm::Instruction>(threadIdx.front())->getNextNode();
  inlineKernel(call);
  lowerBuiltinsByContext(*thread, thread->getArg(0), anchor, threadIdx);
  return thread;
}

Function* createFiberEntry(Function& kernel) {
  Function* thread = createThreadFunction(kernel);
  Function* entry = createEntry(kernel, ".musa_block");
  IRBuilder<> builder(kernel.getContext());
  startEntry(builder, *entry);
  llvm::Type* ptr = builder.getPtrTy();
  auto run = kernel.getParent()->getOrInsertFunction(
      "__musa_run_fibers", llvm::FunctionType::get(builder.getVoidTy(), {ptr, ptr}, false));
  builder.CreateCall(run, {entry->getArg(0), thread});
  builder.CreateRetVoid();
  return entry;
}

// --- Loops over the threads ----------------------------------------------------------

// for (i = 0; i < limit; ++i), with i of 32 bits and limit > 0.
struct CountedLoop {
  BasicBlock* body = nullptr;
  llvm::PHINode* index = nullptr;
};

// Opens a loop at `builder`, which moves into its body.
CountedLoop openLoop(IRBuilder<>& builder, const llvm::Twine& name) {
  BasicBlock* before = builder.GetInsertBlock();
  CountedLoop loop;
  loop.body = BasicBlock::Create(builder.getContext(), name, before->getParent());
  builder.CreateBr(loop.body);
  builder.SetInsertPoint(loop.body);
  loop.index = builder.CreatePHI(builder.getInt32Ty(), 2, name + ".idx");
  loop.index->addIncoming(builder.getInt32(0), before);
  return loop;
}

// Closes it at `builder`, which moves behind it.
void closeLoop(IRBuilder<>& builder, CountedLoop& loop, Value* limit) {
  BasicBlock* latch = builder.GetInsertBlock();
  BasicBlock* after = BasicBlock::Create(builder.getContext(), "after", latch->getParent());
  Value* next = builder.CreateAdd(loop.index, builder.getInt32(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  loop.index->addIncoming(next, latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, limit), loop.body, after);
  builder.SetInsertPoint(after);
}

void storeThreadIdx(IRBuilder<>& builder, llvm::Module& module, llvm::ArrayRef<Value*> threadIdx,
                    Value* linear) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    builder.CreateStore(threadIdx[axis], threadIdxAddress(builder, module, axis));
  }
  builder.CreateStore(linear, threadStateField(builder, module, kLinearIdxField));
}

Value* linearIdx(IRBuilder<>& builder, llvm::ArrayRef<Value*> idx, llvm::ArrayRef<Value*> dim) {
  Value* plane = builder.CreateAdd(idx[1], builder.CreateMul(idx[2], dim[1]));
  return builder.CreateAdd(idx[0], builder.CreateMul(plane, dim[0]));
}

Function* createLoopEntry(Function& kernel) {
  llvm::Module& module = *kernel.getParent();
  const bool publishThread = calleesReadThreadState(kernel);
  Function* entry = createEntry(kernel, ".musa_block");
  Value* context = entry->getArg(0);
  IRBuilder<> builder(kernel.getContext());
  startEntry(builder, *entry);
  BasicBlock* first = builder.GetInsertBlock();
  std::vector<Value*> dims;
  for (unsigned axis = 0; axis < 3; ++axis) {
    dims.push_back(emitBlockValue(builder, {{}, BlockValue::kBlockDim, axis}, context));
  }
  if (publishThread) builder.CreateStore(context, threadStateField(builder, module, kBlockField));

  CountedLoop z = openLoop(builder, "thread.z");
  CountedLoop y = openLoop(builder, "thread.y");
  CountedLoop x = openLoop(builder, "thread.x");
  const std::vector<Value*> threadIdx{x.index, y.index, z.index};
  if (publishThread) storeThreadIdx(builder, module, threadIdx, linearIdx(builder, threadIdx, dims));

  IRBuilder<> atEntry(first->getTerminator());
  const std::vector<Value*> arguments = loadParams(kernel, context, atEntry, builder);
  llvm::CallInst* call = callKernel(builder, kernel, arguments);
  closeLoop(builder, x, dims[0]);
  closeLoop(builder, y, dims[1]);
  closeLoop(builder, z, dims[2]);
  builder.CreateRetVoid();

  inlineKernel(call);
  lowerBuiltinsByContext(*entry, context, first->getTerminator(), threadIdx);
  return entry;
}

}  // namespace

llvm::PreservedAnalyses KernelEntries::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<Function*, 16> kernels;
  for (Function& function : module) {
    if (function.hasFnAttribute(kKernelAttribute) && !function.isDeclaration()) kernels.push_back(&function);
  }
  for (Function* kernel : kernels) {
    const bool fibers = callsCollective(*kernel) || kernel->hasFnAttribute(kCheckedAttribute);
    Function* entry = fibers ? createFiberEntry(*kernel) : createLoopEntry(*kernel);
    entry->addFnAttr(kEntryAttribute, kernel->getName());
    if (fibers) kernel->addFnAttr(kFibersAttribute);
  }
  for (Function& function : module) {
    if (!function.isDeclaration()) lowerBuiltinsByThreadState(function);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
