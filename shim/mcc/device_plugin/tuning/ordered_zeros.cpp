#include "ordered_zeros.h"

#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

namespace match = llvm::PatternMatch;
using llvm::Value;

bool isNeverNegative(const Value& value, const llvm::Instruction& at) {
  const llvm::SimplifyQuery query(at.getModule()->getDataLayout(), &at);
  const llvm::KnownFPClass known = llvm::computeKnownFPClass(&value, llvm::fcAllFlags, /*Depth=*/0, query);
  return known.SignBit.has_value() && !*known.SignBit;
}

// a == b ? what the bits of both say : the minimum or maximum of a and b.
Value* unordered(llvm::SelectInst& select) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(select.getFalseValue());
  if (call == nullptr) return nullptr;
  const bool isMinimum = call->getIntrinsicID() == llvm::Intrinsic::minnum;
  if (!isMinimum && call->getIntrinsicID() != llvm::Intrinsic::maxnum) return nullptr;
  Value *a = call->getArgOperand(0), *b = call->getArgOperand(1);
  const auto* compare = llvm::dyn_cast<llvm::FCmpInst>(select.getCondition());
  if (compare == nullptr || compare->getPredicate() != llvm::CmpInst::FCMP_OEQ) return nullptr;
  const Value *left = compare->getOperand(0), *right = compare->getOperand(1);
  if ((left != a || right != b) && (left != b || right != a)) return nullptr;
  const auto first = match::m_BitCast(match::m_Specific(a)), second = match::m_BitCast(match::m_Specific(b));
  Value* bits = nullptr;
  if (!match::match(select.getTrueValue(), match::m_BitCast(match::m_Value(bits)))) return nullptr;
  const bool matches = isMinimum ? match::match(bits, match::m_c_Or(first, second))
                                 : match::match(bits, match::m_c_And(first, second));
  if (!matches || !isNeverNegative(*a, select) || !isNeverNegative(*b, select)) return nullptr;
  return call;
}

}  // namespace

llvm::PreservedAnalyses OrderedZeros::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    Value* result = select == nullptr ? nullptr : unordered(*select);
    if (result == nullptr) continue;
    select->replaceAllUsesWith(result);
    select->eraseFromParent();
    changed = true;
  }
  return keepsBranches(changed);
}

}  // namespace musashim::mcc
