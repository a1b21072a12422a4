#include "tail_duplicate_stores.h"

#include "llvm/IR/CFG.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::StoreInst;
using llvm::Value;

constexpr unsigned kDeepestAddress = 4;  // instructions that may be hoisted above the guard

// The only use of the selected value, a store before which no memory is accessed.
StoreInst* storeOf(PHINode& choice) {
  if (!choice.hasOneUse()) return nullptr;
  auto* store = llvm::dyn_cast<StoreInst>(choice.user_back());
  if (store == nullptr || !store->isSimple() || store->getParent() != choice.getParent() ||
      store->getValueOperand() != &choice)
    return nullptr;
  const auto until = llvm::make_range(store->getParent()->begin(), store->getIterator());
  const auto isPlain = [](const Instruction& before) {
    return !before.mayReadOrWriteMemory() && !before.mayHaveSideEffects();
  };
  return llvm::all_of(until, isPlain) ? store : nullptr;
}

// Hoists the computation of the address above the guard, as far as it is behind it.
bool hoistAddress(Value& address, const BasicBlock& join, Instruction& guard, unsigned deepest) {
  auto* instruction = llvm::dyn_cast<Instruction>(&address);
  if (instruction == nullptr || instruction->getParent() != &join) return true;
  if (calledThreadIdx(*instruction) == nullptr) {
    const bool isPlain =
        llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(instruction) || instruction->isBinaryOp();
    if (deepest == 0 || !isPlain || instruction->isIntDivRem()) return false;
    for (Value* operand : instruction->operands()) {
      if (!hoistAddress(*operand, join, guard, deepest - 1)) return false;
    }
  }
  instruction->moveBefore(&guard);
  return true;
}

// The end of the path from `from` to `join`.
Instruction* endOfPath(BasicBlock& from, BasicBlock& join, Instruction& guard) {
  if (&from != guard.getParent()) return from.getTerminator();
  auto* path = BasicBlock::Create(join.getContext(), "other", join.getParent(), &join);
  auto* end = llvm::BranchInst::Create(&join, path);
  end->setDebugLoc(guard.getDebugLoc());
  guard.replaceSuccessorWith(&join, path);
  join.replacePhiUsesWith(&from, path);
  return end;
}

}  // namespace

void tailDuplicateStores(llvm::BranchInst& guard, BasicBlock& join, llvm::ArrayRef<BasicBlock*> paths) {
  for (BasicBlock* from : llvm::predecessors(&join)) {
    const bool leadsOnly = llvm::is_contained(paths, from) && from->getSingleSuccessor() != nullptr;
    if (from != guard.getParent() && !leadsOnly) return;
  }
  for (PHINode& choice : llvm::make_early_inc_range(join.phis())) {
    StoreInst* store = storeOf(choice);
    if (store == nullptr || !hoistAddress(*store->getPointerOperand(), join, guard, kDeepestAddress))
      continue;
    const llvm::SmallVector<BasicBlock*, 4> before(llvm::predecessors(&join));
    for (BasicBlock* from : before) {
      Instruction* copy = store->clone();
      copy->setOperand(0, choice.getIncomingValueForBlock(from));
      copy->insertBefore(endOfPath(*from, join, guard));
    }
    store->eraseFromParent();
    choice.eraseFromParent();
  }
}

}  // namespace musashim::mcc
