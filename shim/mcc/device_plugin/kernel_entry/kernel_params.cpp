#include "kernel_params.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

// The block's parameter buffer is read-only while it runs.
llvm::Value* loadConstant(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* pointer,
                          uint32_t align) {
  llvm::LoadInst* load = loadInvariant(builder, type, pointer);
  load->setAlignment(llvm::Align(align));
  return load;
}

llvm::Value* copyForThread(llvm::Function& caller, const KernelParam& param, llvm::Value* source,
                           llvm::IRBuilder<>& perThread) {
  llvm::BasicBlock& entry = caller.getEntryBlock();
  llvm::IRBuilder<> entryBuilder(&entry, entry.getFirstNonPHIOrDbg()->getIterator());
  llvm::AllocaInst* slot =
      entryBuilder.CreateAlloca(llvm::ArrayType::get(entryBuilder.getInt8Ty(), param.size));
  const llvm::Align align(std::max<uint32_t>(param.align, 8));
  slot->setAlignment(align);
  perThread.CreateMemCpy(slot, align, source, llvm::Align(param.align), param.size);
  return slot;
}

}  // namespace

ParamLayout layoutParams(const KernelAnnotation& kernel) {
  ParamLayout layout;
  for (const KernelParam& param : kernel.params) {
    layout.bytes = static_cast<uint32_t>(llvm::alignTo(layout.bytes, param.align));
    layout.slots.push_back({layout.bytes, param.size});
    layout.bytes += param.size;
  }
  return layout;
}

KernelAnnotation kernelFacts(const llvm::Function& kernel) {
  KernelAnnotation facts;
  const llvm::StringRef text = kernel.getFnAttribute(kKernelAttribute).getValueAsString();
  if (!decodeKernel({text.data(), text.size()}, facts) || facts.params.size() != kernel.arg_size()) {
    llvm::report_fatal_error("mcc: kernel " + kernel.getName() + " does not fit its annotation: " + text);
  }
  return facts;
}

bool isIndirectParam(const llvm::Argument& argument) {
  KernelAnnotation kernel;
  const llvm::StringRef text = argument.getParent()->getFnAttribute(kKernelAttribute).getValueAsString();
  return decodeKernel({text.data(), text.size()}, kernel) && argument.getArgNo() < kernel.params.size() &&
         kernel.params[argument.getArgNo()].indirect;
}

std::vector<llvm::Value*> loadParams(llvm::Function& kernel, llvm::Value* blockContext,
                                     llvm::IRBuilder<>& shared, llvm::IRBuilder<>& perThread) {
  const KernelAnnotation facts = kernelFacts(kernel);
  const ParamLayout layout = layoutParams(facts);
  std::vector<llvm::Value*> values;
  if (facts.params.empty()) return values;
  llvm::StructType* contextType = blockContextType(kernel.getContext());
  llvm::Value* buffer = loadConstant(shared, shared.getPtrTy(),
                                     shared.CreateStructGEP(contextType, blockContext, kParamsField), 8);
  for (llvm::Argument& argument : kernel.args()) {
    const KernelParam& param = facts.params[argument.getArgNo()];
    llvm::Value* source = shared.CreateConstInBoundsGEP1_32(shared.getInt8Ty(), buffer,
                                                            layout.slots[argument.getArgNo()].offset);
    llvm::Type* type = argument.getType();
    if (param.indirect && type->isPointerTy()) {
      const bool writable = !(argument.onlyReadsMemory() && argument.hasNoCaptureAttr());
      values.push_back(writable
                           ? copyForThread(*perThread.GetInsertBlock()->getParent(), param, source, perThread)
                           : source);
    } else if (type->isIntegerTy(1)) {
      values.push_back(shared.CreateTrunc(loadConstant(shared, shared.getInt8Ty(), source, 1), type));
    } else {
      values.push_back(loadConstant(shared, type, source, param.align));
    }
  }
  return values;
}

}  // namespace musashim::mcc
