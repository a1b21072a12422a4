#include "denormals.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "mcc/device_plugin/passes.h"
#include "reachability.h"

namespace musashim::mcc {
namespace {

bool asksForIt(const llvm::Function& function) {
  return function.getFnAttribute("denormal-fp-math-f32").getValueAsString().starts_with("preserve-sign");
}

// Tables of the functions of mathematics are constant, and local variables hold what these functions compute.
bool isOfTheProgram(const llvm::Value& pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(&pointer, /*MaxLookup=*/0);
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return !llvm::isa<llvm::AllocaInst>(object) && (global == nullptr || !global->isConstant());
}

bool movesDouble(llvm::Instruction& instruction) {
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  const llvm::Type* type = pointer != nullptr ? llvm::getLoadStoreType(&instruction) : nullptr;
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    pointer = atomic->getPointerOperand();
    type = atomic->getValOperand()->getType();
  }
  return type != nullptr && type->getScalarType()->isDoubleTy() && isOfTheProgram(*pointer);
}

bool movesDoubles(llvm::Function& kernel) {
  for (llvm::Function* function : reachableFrom(kernel)) {
    if (llvm::any_of(llvm::instructions(*function), movesDouble)) return true;
  }
  return false;
}

}  // namespace

llvm::PreservedAnalyses DenormalsOfKernels::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.hasFnAttribute(kKernelAttribute) || !asksForIt(function))
      continue;
    if (!movesDoubles(function)) function.addFnAttr(kFlushDenormalsAttribute);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
