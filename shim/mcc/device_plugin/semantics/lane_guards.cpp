#include "lane_guards.h"

#include <algorithm>

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::CmpInst;
using llvm::Value;

constexpr int64_t kFewestLanes = 32;  // of a warp
constexpr int64_t kMostLanes = 1024;  // of a block

// What a value is but for its width: indices are not negative, and small.
const Value& narrowed(const Value& value) {
  const Value* narrow = &value;
  while (llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::FreezeInst>(narrow))
    narrow = llvm::cast<llvm::Instruction>(narrow)->getOperand(0);
  return *narrow;
}

// Several calls may ask for one index.
bool isSame(const Value& one, const Value& other) {
  const Value &left = narrowed(one), &right = narrowed(other);
  return &left == &right ||
         (calledThreadIdx(left) != nullptr && calledThreadIdx(left) == calledThreadIdx(right));
}

// The mask where `value` is `leaf & mask` and so counts lanes in groups; -1: it is another value.
int64_t groupMaskOf(const Value& value, const Value& leaf) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&narrowed(value));
  if (operation == nullptr || operation->getOpcode() != llvm::Instruction::And) return -1;
  const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
  if (mask == nullptr || !mask->getValue().isMask() || mask->getValue().ugt(kMostLanes)) return -1;
  return isSame(*operation->getOperand(0), leaf) ? mask->getSExtValue() : -1;
}

bool isComputedFrom(const Value& value, const Value& source, unsigned depth = 4) {
  if (&value == &source) return true;
  const auto* operation = llvm::dyn_cast<llvm::Instruction>(&value);
  if (operation == nullptr || depth == 0 || llvm::isa<llvm::PHINode>(operation)) return false;
  return llvm::any_of(operation->operands(), [&](const llvm::Use& operand) {
    return isComputedFrom(*operand.get(), source, depth - 1);
  });
}

bool isOfRow(const Value& value) {
  const Builtin* builtin = calledThreadIdx(narrowed(value));
  return builtin != nullptr && builtin->axis == 0;
}

// The thread's index, or its lane.
bool tellsLanesApart(const Value& value) {
  if (isOfRow(value)) return true;
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&narrowed(value));
  return operation != nullptr && isOfRow(*operation->getOperand(0)) &&
         groupMaskOf(value, *operation->getOperand(0)) >= kFewestLanes - 1;
}

struct Range {
  int64_t least = 0, most = kMostLanes - 1;
};

Range rangeOf(const LaneGuards& guards, const Value& value) {
  Range range;
  for (const LaneGuard& guard : guards) {
    if (guard.bound != nullptr || !isSame(*guard.value, value)) continue;
    range.least = std::max(range.least, guard.least);
    range.most = std::min(range.most, guard.most);
  }
  return range;
}

// Where `value` compared with a constant is as `predicate` says.
LaneGuard rangeGuard(const Value& value, CmpInst::Predicate predicate, int64_t constant) {
  LaneGuard guard{&value};
  switch (predicate) {
    case CmpInst::ICMP_EQ:
      guard.least = guard.most = constant;
      break;
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_SLT:
      guard.most = constant - 1;
      break;
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLE:
      guard.most = constant;
      break;
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_SGT:
      guard.least = constant + 1;
      break;
    case CmpInst::ICMP_UGE:
    case CmpInst::ICMP_SGE:
      guard.least = constant;
      break;
    default:
      guard.value = nullptr;
  }
  return guard;
}

// Null value: nothing is known.
LaneGuard guardOf(const llvm::ICmpInst& compare, CmpInst::Predicate predicate) {
  const Value &left = *compare.getOperand(0), &right = *compare.getOperand(1);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&right)) {
    if (constant->getBitWidth() > 64) return {};
    return rangeGuard(left, predicate, constant->getSExtValue());
  }
  LaneGuard guard;
  if (predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_SLT) {
    guard.value = &left;
    guard.bound = &right;
  } else if (predicate == CmpInst::ICMP_UGT || predicate == CmpInst::ICMP_SGT) {
    guard.value = &right;
    guard.bound = &left;
  }
  return guard;
}

// Before memory is read, or other lanes are asked.
bool asksForIndex(const Value& value, unsigned depth = 12) {
  if (calledThreadIdx(value) != nullptr) return true;
  const auto* operation = llvm::dyn_cast<llvm::Instruction>(&value);
  if (operation == nullptr || depth == 0 || llvm::isa<llvm::PHINode>(operation)) return false;
  if (operation->mayReadFromMemory()) return false;
  return llvm::any_of(operation->operands(),
                      [&](const llvm::Use& operand) { return asksForIndex(*operand.get(), depth - 1); });
}

// LLVM may have left several of one kind.
bool isSameCondition(const Value& one, const Value& other) {
  if (&one == &other) return true;
  const auto *left = llvm::dyn_cast<llvm::CmpInst>(&one), *right = llvm::dyn_cast<llvm::CmpInst>(&other);
  return left != nullptr && right != nullptr && left->getPredicate() == right->getPredicate() &&
         left->getOperand(0)->getType() == right->getOperand(0)->getType() &&
         llvm::all_of(llvm::zip(left->operands(), right->operands()), [](const auto& pair) {
           return isSame(*std::get<0>(pair).get(), *std::get<1>(pair).get());
         });
}

}  // namespace

bool LaneGuard::isIn(const SharedAddress& address) const {
  return llvm::any_of(address.terms, [&](const auto& term) { return isSame(*term.first, *value); });
}

SharedAddress LaneGuard::apply(const SharedAddress& address) const {
  SharedAddress result;
  result.base = address.base;
  result.constant = address.constant;
  for (const auto& [leaf, coefficient] : address.terms) {
    if (isSame(*leaf, *value)) {
      result.constant += coefficient * least;
    } else {
      result.terms[leaf] = coefficient;
    }
  }
  return result;
}

bool isOneLane(const LaneGuards& one, const LaneGuards& other) {
  return llvm::any_of(one, [&](const LaneGuard& guard) {
    return guard.isOneValue() && tellsLanesApart(*guard.value) &&
           llvm::any_of(other, [&](const LaneGuard& same) {
             return same.isOneValue() && same.least == guard.least && isSame(*same.value, *guard.value);
           });
  });
}

bool mayBeApart(const LaneGuards& one, const LaneGuards& other, const Value& leaf, int64_t distance) {
  const Range first = rangeOf(one, leaf), second = rangeOf(other, leaf);
  if (distance < second.least - first.most || distance > second.most - first.least) return false;
  const auto allows = [&](const LaneGuard& guard) {
    const int64_t mask = groupMaskOf(*guard.value, leaf);
    if (mask < 0 || guard.bound != nullptr) return true;
    const Range ours = rangeOf(one, *guard.value), theirs = rangeOf(other, *guard.value);
    for (int64_t lane = ours.least; lane <= std::min(ours.most, mask); ++lane) {
      const int64_t there = (lane + distance) & mask;
      if (there >= theirs.least && there <= theirs.most) return true;
    }
    return false;
  };
  return llvm::all_of(one, allows) && llvm::all_of(other, allows);
}

bool keepApart(const LaneGuards& guards, const Value& distance) {
  return llvm::any_of(guards, [&](const LaneGuard& guard) {
    if (guard.bound != nullptr) return isSame(*guard.bound, distance);
    return guard.isOneValue() && isComputedFrom(*guard.value, distance);
  });
}

GuardFinder::GuardFinder(const llvm::Function& function, const llvm::DominatorTree& dominators)
    : dominators_(dominators) {
  for (const llvm::BasicBlock& block : function) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    for (const unsigned side : {0u, 1u})
      note(*branch->getCondition(), side == 0, {&block, branch->getSuccessor(side)});
  }
}

void GuardFinder::note(Value& condition, bool holds, const llvm::BasicBlockEdge& taken) {
  using namespace llvm::PatternMatch;
  Value *left, *right;
  const bool areBoth = holds ? match(&condition, m_LogicalAnd(m_Value(left), m_Value(right)))
                             : match(&condition, m_LogicalOr(m_Value(left), m_Value(right)));
  if (areBoth) {
    note(*left, holds, taken);
    note(*right, holds, taken);
  } else if (match(&condition, m_Not(m_Value(left)))) {
    note(*left, !holds, taken);
  } else {
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    LaneGuard guard;
    if (compare != nullptr)
      guard = guardOf(*compare, holds ? compare->getPredicate() : compare->getInversePredicate());
    conditions_.push_back({&condition, holds, guard, asksForIndex(condition), taken});
  }
}

LaneGuards GuardFinder::guardsOf(const llvm::Instruction& instruction) const {
  LaneGuards guards;
  for (const Condition& condition : conditions_) {
    if (condition.guard.value != nullptr && dominators_.dominates(condition.taken, instruction.getParent()))
      guards.push_back(condition.guard);
  }
  return guards;
}

bool GuardFinder::isOfFewerLanes(const llvm::Instruction& one, const llvm::Instruction& other) const {
  return llvm::any_of(conditions_, [&](const Condition& condition) {
    return condition.asksForIndex && dominators_.dominates(condition.taken, one.getParent()) &&
           !hasCondition(other, condition);
  });
}

bool GuardFinder::hasCondition(const llvm::Instruction& instruction, const Condition& condition) const {
  return llvm::any_of(conditions_, [&](const Condition& same) {
    return same.holds == condition.holds && isSameCondition(*same.value, *condition.value) &&
           dominators_.dominates(same.taken, instruction.getParent());
  });
}

}  // namespace musashim::mcc
