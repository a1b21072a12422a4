// Addresses of shared memory have 32 bits on a GPU. `s[threadIdx.x - 1]` of the first thread, whose unsigned
// index wraps, is the element before `s` there; in 64 bits it is 2^32 elements behind. CUB reads such an
// element, in the midst of a structure, and does not use it.
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/passes.h"
#include "mcc/device_plugin/source_facts/annotations.h"

namespace musashim::mcc {
namespace {

using llvm::Value;

bool isInSharedMemory(const llvm::GetElementPtrInst& place) {
  const Value* at = place.getPointerOperand();
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(at)) at = step->getPointerOperand();
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(at);  // before it has a place
  return variable != nullptr ? variable->hasAttribute(kSharedAnnotation) : isSharedBase(*at);
}

// A sum that can be below zero, taken for a number without a sign. Any index that is right is below 2^31, so
// that the sign changes nothing for it.
llvm::ZExtInst* wrappedIndex(Value& index, const llvm::DataLayout& layout) {
  auto* extended = llvm::dyn_cast<llvm::ZExtInst>(&index);
  if (extended == nullptr || extended->hasNonNeg() || !extended->getSrcTy()->isIntegerTy(32)) return nullptr;
  const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(extended->getOperand(0));
  if (sum == nullptr || sum->hasNoUnsignedWrap()) return nullptr;
  if (sum->getOpcode() != llvm::Instruction::Add && sum->getOpcode() != llvm::Instruction::Sub)
    return nullptr;
  return llvm::computeKnownBits(sum, layout).isNonNegative() ? nullptr : extended;
}

}  // namespace

llvm::PreservedAnalyses SharedIndexWrap::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::DataLayout& layout = function.getDataLayout();
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (place == nullptr || !isInSharedMemory(*place)) continue;
    for (llvm::Use& index : place->indices()) {
      const llvm::ZExtInst* wrapped = wrappedIndex(*index, layout);
      if (wrapped == nullptr) continue;
      index = llvm::IRBuilder<>(place).CreateSExt(wrapped->getOperand(0), wrapped->getType());
      changed = true;
    }
  }
  return keepsBranches(changed);
}

}  // namespace musashim::mcc
