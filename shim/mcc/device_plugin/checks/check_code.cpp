#include "check_code.h"

#include "check_options.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

constexpr llvm::StringRef kStateName = "__musa_check_state";

}  // namespace

using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

BuilderBefore::BuilderBefore(llvm::Instruction& at) : IRBuilder<>(&at) {
  llvm::DISubprogram* program = at.getFunction()->getSubprogram();
  if (program == nullptr || getCurrentDebugLocation()) return;
  SetCurrentDebugLocation(llvm::DILocation::get(at.getContext(), program->getLine(), 0, program));
}

CheckCode::CheckCode(llvm::Module& checked, uint8_t checks)
    : module(checked),
      context(module.getContext()),
      layout(module.getDataLayout()),
      sites(module, checks, checkSdkFolder()),
      none(llvm::Type::getVoidTy(context)),
      ptr(llvm::PointerType::getUnqual(context)),
      i32(llvm::Type::getInt32Ty(context)),
      i64(llvm::Type::getInt64Ty(context)),
      checks_(checks) {}

llvm::FunctionCallee CheckCode::runtime(llvm::StringRef name, llvm::Type* result,
                                        llvm::ArrayRef<llvm::Type*> types) {
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  llvm::cast<Function>(callee.getCallee())->setDoesNotThrow();
  return callee;
}

Function* CheckCode::inlined(llvm::StringRef name) {
  Function* function = module.getFunction((kInlinePrefix + name).str());
  if (function == nullptr) llvm::report_fatal_error("mcc: checked code without musa_check_inline.h");
  return function;
}

void CheckCode::releaseInlined() {
  llvm::removeFromUsedLists(
      module, [](const llvm::Constant* constant) { return constant->getName().starts_with(kInlinePrefix); });
}

Value* CheckCode::state(IRBuilder<>& builder) {
  llvm::GlobalVariable* variable = module.getGlobalVariable(kStateName);
  if (variable == nullptr) {
    variable =
        new llvm::GlobalVariable(module, builder.getInt8Ty(), false, llvm::GlobalValue::ExternalLinkage,
                                 nullptr, kStateName, nullptr, llvm::GlobalValue::InitialExecTLSModel);
  }
  return builder.CreateThreadLocalAddress(variable);
}

Value* CheckCode::field(IRBuilder<>& builder, size_t offset, llvm::Type* type) {
  Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), state(builder), offset);
  return loadInvariant(builder, type, address);
}

llvm::SmallVector<Value*, 16> CheckCode::wordOperands(IRBuilder<>& builder) {
  return {state(builder),
          field(builder, offsetof(MusaCheckState, shared), i64),
          field(builder, offsetof(MusaCheckState, shared_bytes), i64),
          field(builder, offsetof(MusaCheckState, words), ptr),
          field(builder, offsetof(MusaCheckState, pitch), i64),
          field(builder, offsetof(MusaCheckState, clocks), ptr)};
}

Value* CheckCode::thread(IRBuilder<>& builder) { return builder.CreateCall(inlined("thread"), {}); }

llvm::ConstantInt* CheckCode::number(uint64_t value) {
  return llvm::cast<llvm::ConstantInt>(llvm::ConstantInt::get(i32, value));
}

}  // namespace musashim::mcc
