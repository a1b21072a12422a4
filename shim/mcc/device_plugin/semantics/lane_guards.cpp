#include "lane_guards.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

// Several calls may ask for one index.
bool isSame(const llvm::Value& one, const llvm::Value& other) {
  return &one == &other ||
         (calledThreadIdx(one) != nullptr && calledThreadIdx(one) == calledThreadIdx(other));
}

}  // namespace

SharedAddress LaneGuard::apply(const SharedAddress& address) const {
  SharedAddress result{address.base, address.constant, {}};
  for (const auto& [leaf, coefficient] : address.terms) {
    if (isSame(*leaf, *value)) {
      result.constant += coefficient * is;
    } else {
      result.terms[leaf] = coefficient;
    }
  }
  return result;
}

GuardFinder::GuardFinder(const llvm::Function& function, const llvm::DominatorTree& dominators)
    : dominators_(dominators) {
  for (const llvm::BasicBlock& block : function) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->isConditional()) continue;
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
    if (compare == nullptr || !compare->isEquality()) continue;
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
    if (constant == nullptr || constant->getBitWidth() > 64) continue;
    const llvm::BasicBlock* taken =
        branch->getSuccessor(compare->getPredicate() == llvm::ICmpInst::ICMP_EQ ? 0 : 1);
    branches_.push_back({{compare->getOperand(0), constant->getSExtValue()}, {&block, taken}});
  }
}

LaneGuards GuardFinder::guardsOf(const llvm::Instruction& instruction) const {
  LaneGuards guards;
  for (const Branch& branch : branches_) {
    if (dominators_.dominates(branch.taken, instruction.getParent())) guards.push_back(branch.guard);
  }
  return guards;
}

}  // namespace musashim::mcc
