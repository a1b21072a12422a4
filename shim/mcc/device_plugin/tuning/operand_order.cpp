// Orders the operands of commutative operations on two loads. The code generator folds the right operand's
// load into the instruction, so it comes later. Where rows are summed in pairs this was the first row, read
// behind all that follow it. Hardware prefetchers want ascending addresses. (A sum of 128 MiB in shared
// memory, blocks of 256 threads: 1.27 times as fast on Zen 3.)
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

// The operand, if it is a load that may be folded into the operation's instruction.
const llvm::LoadInst* onlyLoadOf(const llvm::Value* operand, const llvm::BasicBlock* block) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(operand);
  return load != nullptr && load->isSimple() && load->hasOneUse() && load->getParent() == block ? load
                                                                                                : nullptr;
}

}  // namespace

llvm::PreservedAnalyses OperandOrder::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
    if (operation == nullptr || !operation->isCommutative()) continue;
    const llvm::LoadInst* left = onlyLoadOf(operation->getOperand(0), operation->getParent());
    const llvm::LoadInst* right = onlyLoadOf(operation->getOperand(1), operation->getParent());
    if (left == nullptr || right == nullptr || left == right || left->comesBefore(right)) continue;
    operation->swapOperands();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
