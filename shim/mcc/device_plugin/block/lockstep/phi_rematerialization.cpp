#include "phi_rematerialization.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

constexpr unsigned kDeepest = 6;  // operations of the expression

class PhiRematerialization {
 public:
  explicit PhiRematerialization(llvm::Function& function) : dominators_(function) {}

  void recompute(PHINode& phi) const {
    Value* first = phi.getIncomingValue(0);
    if (!llvm::isa<Instruction>(first)) return;
    const auto isSame = [&](Value* value) { return value != &phi && areSame(*first, *value, phi, kDeepest); };
    if (!llvm::all_of(phi.incoming_values(), isSame)) return;
    const auto at = phi.getParent()->getFirstInsertionPt();
    phi.replaceAllUsesWith(copyOf(llvm::SmallVector<Value*, 4>(phi.incoming_values()), phi, *at));
    phi.eraseFromParent();
  }

 private:
  static bool mayRecompute(const Instruction& instruction) {
    return !llvm::isa<PHINode, llvm::CallBase, llvm::AllocaInst>(instruction) &&
           !instruction.isTerminator() && !instruction.mayReadOrWriteMemory() &&
           llvm::isSafeToSpeculativelyExecute(&instruction);
  }

  bool isKnownAt(const Value& value, const PHINode& phi) const { return dominators_.dominates(&value, &phi); }

  bool areSame(Value& left, Value& right, const PHINode& phi, unsigned deepest) const {
    if (&left == &right && isKnownAt(left, phi)) return true;
    const auto* one = llvm::dyn_cast<Instruction>(&left);
    const auto* other = llvm::dyn_cast<Instruction>(&right);
    if (one == nullptr || other == nullptr || deepest == 0) return false;
    if (!one->isSameOperationAs(other) || !mayRecompute(*one) || !mayRecompute(*other)) return false;
    for (const auto [a, b] : llvm::zip(one->operands(), other->operands())) {
      if (!areSame(*a.get(), *b.get(), phi, deepest - 1)) return false;
    }
    return true;
  }

  // Keeps the flags that all of them have.
  Value* copyOf(llvm::ArrayRef<Value*> same, const PHINode& phi, Instruction& at) const {
    if (isKnownAt(*same.front(), phi)) return same.front();
    Instruction* copy = llvm::cast<Instruction>(same.front())->clone();
    for (Value* other : same.drop_front()) copy->andIRFlags(other);
    for (unsigned i = 0; i < copy->getNumOperands(); ++i) {
      llvm::SmallVector<Value*, 4> operands;
      for (Value* one : same) operands.push_back(llvm::cast<Instruction>(one)->getOperand(i));
      copy->setOperand(i, copyOf(operands, phi, at));
    }
    copy->insertBefore(&at);
    return copy;
  }

  const llvm::DominatorTree dominators_;
};

}  // namespace

void rematerializePhis(llvm::Function& function) {
  llvm::SmallVector<PHINode*, 16> phis;
  for (Instruction& instruction : llvm::instructions(function)) {
    if (auto* phi = llvm::dyn_cast<PHINode>(&instruction)) phis.push_back(phi);
  }
  if (phis.empty()) return;
  const PhiRematerialization same(function);
  for (PHINode* phi : phis) same.recompute(*phi);
}

}  // namespace musashim::mcc
