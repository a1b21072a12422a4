#include "constant_memory.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "mcc/device_plugin/passes.h"
#include "mcc/device_plugin/source_facts/constant_variables.h"

namespace musashim::mcc {
namespace {

bool isConstantLoad(const llvm::LoadInst& load) {
  if (!load.isSimple() || load.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return false;
  const llvm::Value* object = llvm::getUnderlyingObject(load.getPointerOperand());
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return variable != nullptr && variable->hasAttribute(kConstantAnnotation);
}

}  // namespace

bool markConstantLoads(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load == nullptr || !isConstantLoad(*load)) continue;
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(function.getContext(), {}));
    changed = true;
  }
  return changed;
}

llvm::PreservedAnalyses ConstantMemory::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  return keepsBranches(markConstantLoads(function));
}

}  // namespace musashim::mcc
