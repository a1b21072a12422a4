#include "shared_address.h"

#include <algorithm>
#include <cstdlib>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Operator.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kDepth = 12;

std::optional<int64_t> constantOf(const Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  if (constant == nullptr || constant->getValue().getSignificantBits() > 40) return std::nullopt;
  return constant->getSExtValue();
}

// Adds `factor * value`. Sums that wrap are taken not to, as the program means an element of an array.
void add(SharedAddress& address, const Value& value, int64_t factor, unsigned depth) {
  if (const auto constant = constantOf(&value)) {
    address.constant += factor * *constant;
    return;
  }
  if (const auto* operation = llvm::dyn_cast<Instruction>(&value); operation != nullptr && depth > 0) {
    const Value* left = operation->getNumOperands() > 0 ? operation->getOperand(0) : nullptr;
    const auto right = operation->getNumOperands() > 1 ? constantOf(operation->getOperand(1)) : std::nullopt;
    switch (operation->getOpcode()) {
      case Instruction::Add:
      case Instruction::Sub:
        add(address, *left, factor, depth - 1);
        return add(address, *operation->getOperand(1),
                   operation->getOpcode() == Instruction::Add ? factor : -factor, depth - 1);
      case Instruction::Or:
        if (!llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint()) break;
        add(address, *left, factor, depth - 1);
        return add(address, *operation->getOperand(1), factor, depth - 1);
      case Instruction::Mul:
        if (right && std::abs(*right) < (1 << 20)) return add(address, *left, factor * *right, depth - 1);
        break;
      case Instruction::Shl:
        if (right && *right >= 0 && *right < 20) return add(address, *left, factor << *right, depth - 1);
        break;
      case Instruction::ZExt:
      case Instruction::SExt:
        return add(address, *left, factor, depth - 1);
      default:
        break;
    }
  }
  int64_t& coefficient = address.terms[&value];
  coefficient += factor;
  if (coefficient == 0) address.terms.erase(&value);
}

// Made of the thread's index and constants.
bool isOfThread(const Value& value, unsigned depth = kDepth) {
  if (llvm::isa<llvm::ConstantInt>(value)) return true;
  if (calledThreadIdx(value) != nullptr) return true;
  const auto* operation = llvm::dyn_cast<Instruction>(&value);
  if (operation == nullptr || depth == 0 || !(operation->isBinaryOp() || operation->isCast())) return false;
  return llvm::all_of(operation->operands(),
                      [&](const llvm::Use& operand) { return isOfThread(*operand.get(), depth - 1); });
}

// Counts from a constant in constant steps.
bool isCounter(const Value& value) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  if (phi == nullptr || phi->getNumIncomingValues() != 2) return false;
  return llvm::any_of(phi->incoming_values(),
                      [](const llvm::Use& use) { return constantOf(use.get()).has_value(); }) &&
         llvm::any_of(phi->incoming_values(), [&](const llvm::Use& use) {
           const auto* step = llvm::dyn_cast<llvm::BinaryOperator>(use.get());
           return step != nullptr && step->getOpcode() == Instruction::Add && step->getOperand(0) == phi &&
                  constantOf(step->getOperand(1)).has_value();
         });
}

// No two lanes of a warp have the same value.
bool tellsLanesApart(const Value& value) {
  const Builtin* builtin = calledThreadIdx(value);
  return builtin != nullptr && builtin->axis == 0;
}

// How far the values of a leaf are apart in a warp, at most.
int64_t spreadOf(const Value& leaf, int64_t lanes) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&leaf);
  if (operation != nullptr && operation->getOpcode() == Instruction::And) {
    if (const auto mask = constantOf(operation->getOperand(1)); mask && *mask >= 0)
      return std::min<int64_t>(*mask, lanes - 1);
  }
  return lanes - 1;
}

// Some lanes whose values of `leaf` differ are as far apart as the addresses.
bool isWithinReach(const Value& leaf, int64_t coefficient, int64_t distance, uint64_t bytes, int64_t lanes) {
  const int64_t step = std::abs(coefficient);
  const int64_t steps = (distance + step / 2) / step;
  const auto close = [&](int64_t count) {
    return count != 0 && count <= spreadOf(leaf, lanes) &&
           std::abs(distance - count * step) < static_cast<int64_t>(bytes);
  };
  return close(steps) || close(distance / step) || close(distance / step + 1);
}

}  // namespace

std::optional<SharedAddress> sharedAddressOf(const Value& pointer, const llvm::DataLayout& layout,
                                             bool inGlobal) {
  SharedAddress address;
  const Value* at = &pointer;
  for (unsigned depth = 0; depth < kDepth; ++depth) {
    if (isSharedBase(*at) || (inGlobal && llvm::isa<llvm::Argument>(at))) {
      address.base = at;
      return address;
    }
    const auto* step = llvm::dyn_cast<llvm::GEPOperator>(at);
    if (step == nullptr) return std::nullopt;
    const unsigned bits = layout.getIndexTypeSizeInBits(step->getType());
    llvm::MapVector<Value*, llvm::APInt> variables;
    llvm::APInt constant(bits, 0);
    if (!step->collectOffset(layout, bits, variables, constant)) return std::nullopt;
    address.constant += constant.getSExtValue();
    for (const auto& [index, scale] : variables) add(address, *index, scale.getSExtValue(), kDepth);
    at = step->getPointerOperand();
  }
  return std::nullopt;
}

bool haveSameBase(const SharedAddress& one, const SharedAddress& other) {
  return one.base == other.base || (isSharedBase(*one.base) && isSharedBase(*other.base) &&
                                    calledName(*one.base) == calledName(*other.base));
}

Meeting meetingOf(const SharedAddress& one, const SharedAddress& other, uint64_t bytes, int64_t lanes) {
  if (!haveSameBase(one, other)) return Meeting::kNever;
  bool threadsDiffer = false, countersDiffer = false;
  const auto compare = [&](const SharedAddress& left, const SharedAddress& right) {
    for (const auto& [leaf, coefficient] : left.terms) {
      if (right.terms.lookup(leaf) == coefficient) continue;
      if (isOfThread(*leaf))
        threadsDiffer = true;
      else if (isCounter(*leaf))
        countersDiffer = true;
      else
        return false;
    }
    return true;
  };
  if (!compare(one, other) || !compare(other, one)) return Meeting::kUnknown;
  if (threadsDiffer) return Meeting::kOthers;
  if (countersDiffer) return Meeting::kUnknown;
  const int64_t distance = std::abs(one.constant - other.constant);
  if (distance == 0) {
    return llvm::any_of(one.terms, [](const auto& term) { return tellsLanesApart(*term.first); })
               ? Meeting::kOwn
               : Meeting::kSame;
  }
  for (const auto& [leaf, coefficient] : one.terms) {
    if (isOfThread(*leaf) && isWithinReach(*leaf, coefficient, distance, bytes, lanes))
      return Meeting::kOthers;
  }
  return Meeting::kNever;
}

}  // namespace musashim::mcc
