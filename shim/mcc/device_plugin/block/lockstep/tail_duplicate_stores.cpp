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

constexpr unsigned kDeepestAddress = 4;  // instructions that may have to come before the guard

// The store that the value is chosen for: nothing else uses it, and no memory is accessed before.
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

// Moves what the address is computed of before the guard, as far as it is computed behind it.
bool hoistAddress(Value& address, const BasicBlock& meet, Instruction& guard, unsigned deepest) {
  auto* instruction = llvm::dyn_cast<Instruction>(&address);
  if (instruction == nullptr || instruction->getParent() != &meet) return true;
  if (calledThreadIdx(*instruction) == nullptr) {
    const bool isPlain =
        llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(instruction) || instruction->isBinaryOp();
    if (deepest == 0 || !isPlain || instruction->isIntDivRem()) return false;
    for (Value* operand : instruction->operands()) {
      if (!hoistAddress(*operand, meet, guard, deepest - 1)) return false;
    }
  }
  instruction->moveBefore(&guard);
  return true;
}

// The block's end on the way to `meet`.
Instruction* endOfWay(BasicBlock& from, BasicBlock& meet, Instruction& guard) {
  if (&from != guard.getParent()) return from.getTerminator();
  auto* way = BasicBlock::Create(meet.getContext(), "other", meet.getParent(), &meet);
  auto* end = llvm::BranchInst::Create(&meet, way);
  end->setDebugLoc(guard.getDebugLoc());
  guard.replaceSuccessorWith(&meet, way);
  meet.replacePhiUsesWith(&from, way);
  return end;
}

}  // namespace

void tailDuplicateStores(llvm::BranchInst& guard, BasicBlock& meet, llvm::ArrayRef<BasicBlock*> ways) {
  for (BasicBlock* from : llvm::predecessors(&meet)) {
    const bool leadsOnly = llvm::is_contained(ways, from) && from->getSingleSuccessor() != nullptr;
    if (from != guard.getParent() && !leadsOnly) return;
  }
  for (PHINode& choice : llvm::make_early_inc_range(meet.phis())) {
    StoreInst* store = storeOf(choice);
    if (store == nullptr || !hoistAddress(*store->getPointerOperand(), meet, guard, kDeepestAddress))
      continue;
    const llvm::SmallVector<BasicBlock*, 4> before(llvm::predecessors(&meet));
    for (BasicBlock* from : before) {
      Instruction* copy = store->clone();
      copy->setOperand(0, choice.getIncomingValueForBlock(from));
      copy->insertBefore(endOfWay(*from, meet, guard));
    }
    store->eraseFromParent();
    choice.eraseFromParent();
  }
}

}  // namespace musashim::mcc
