#include "lane_guards.h"

#include <algorithm>

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
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

}  // namespace

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
    if (branch == nullptr || !branch->isConditional()) continue;
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
    if (compare == nullptr || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (const unsigned side : {0u, 1u}) {
      const auto predicate = side == 0 ? compare->getPredicate() : compare->getInversePredicate();
      const LaneGuard guard = guardOf(*compare, predicate);
      if (guard.value != nullptr) branches_.push_back({guard, {&block, branch->getSuccessor(side)}});
    }
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
