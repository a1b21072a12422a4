#include "reachability.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

// Functions that `value` names, also inside constant expressions.
void collectFunctions(llvm::Value* value, FunctionSet& found) {
  if (auto* function = llvm::dyn_cast<llvm::Function>(value)) {
    found.insert(function);
    return;
  }
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (constant == nullptr || llvm::isa<llvm::GlobalValue>(constant)) return;
  for (llvm::Value* operand : constant->operands()) collectFunctions(operand, found);
}

// Kernels are launched, never called: their addresses are the host's handles.
FunctionSet addressTakenFunctions(llvm::Module& module) {
  FunctionSet functions;
  for (llvm::Function& function : module) {
    if (function.hasFnAttribute(kKernelAttribute)) continue;
    if (!function.isDeclaration() && function.hasAddressTaken()) functions.insert(&function);
  }
  return functions;
}

}  // namespace

FunctionSet reachableFrom(llvm::Function& from) {
  FunctionSet reached;
  reached.insert(&from);
  bool addressTakenAdded = false;
  for (size_t next = 0; next < reached.size(); ++next) {
    for (llvm::Instruction& instruction : llvm::instructions(*reached[next])) {
      for (llvm::Value* operand : instruction.operands()) collectFunctions(operand, reached);
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call != nullptr && call->isIndirectCall() && !addressTakenAdded) {
        addressTakenAdded = true;
        for (llvm::Function* function : addressTakenFunctions(*from.getParent())) reached.insert(function);
      }
    }
  }
  return reached;
}

}  // namespace musashim::mcc
