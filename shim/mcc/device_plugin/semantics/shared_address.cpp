#include "shared_address.h"

#include <algorithm>
#include <cstdlib>

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
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

// What a loop computes from its own value and others that are the same for all lanes.
struct Induction {
  const Value* start = nullptr;
  const llvm::BinaryOperator* step = nullptr;
};
std::optional<Induction> inductionOf(const Value& value, unsigned depth = kDepth);

// Made of arguments, indices and sizes of blocks, and of what loops compute of these: the same for all lanes
// of a warp that are in the same iteration.
bool isUniform(const Value& value, unsigned depth = kDepth) {
  if (llvm::isa<llvm::ConstantInt, llvm::Argument>(value)) return true;
  if (const Builtin* builtin = findBuiltin(calledName(value)))
    return builtin->value != BlockValue::kThreadIdx;
  const auto* operation = llvm::dyn_cast<Instruction>(&value);
  if (operation == nullptr || depth == 0) return false;
  if (llvm::isa<llvm::PHINode>(operation)) {
    const auto induction = inductionOf(value, depth - 1);
    return induction && isUniform(*induction->start, depth - 1);
  }
  if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::CmpInst, llvm::FreezeInst>(
          operation))
    return false;
  return llvm::all_of(operation->operands(),
                      [&](const llvm::Use& operand) { return isUniform(*operand.get(), depth - 1); });
}

std::optional<Induction> inductionOf(const Value& value, unsigned depth) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  if (phi == nullptr || phi->getNumIncomingValues() != 2) return std::nullopt;
  for (const unsigned side : {0u, 1u}) {
    const auto* step = llvm::dyn_cast<llvm::BinaryOperator>(phi->getIncomingValue(side));
    if (step == nullptr) continue;
    const bool isLeft = step->getOperand(0) == phi;
    if ((isLeft || (step->isCommutative() && step->getOperand(1) == phi)) &&
        isUniform(*step->getOperand(isLeft ? 1 : 0), depth))
      return Induction{phi->getIncomingValue(1 - side), step};
  }
  return std::nullopt;
}

// Counts in equal steps.
bool isCounter(const Value& value) {
  const auto induction = inductionOf(value);
  return induction && induction->step->getOpcode() == Instruction::Add;
}

// Doubles or halves from iteration to iteration: how far lanes are apart in a scan.
bool isDistance(const Value& value, unsigned depth = 4) {
  if (const auto induction = inductionOf(value)) {
    switch (induction->step->getOpcode()) {
      case Instruction::Mul:
      case Instruction::Shl:
      case Instruction::LShr:
      case Instruction::AShr:
      case Instruction::UDiv:
      case Instruction::SDiv:
        return isUniform(*induction->start);
      default:
        return false;
    }
  }
  const auto* operation = llvm::dyn_cast<Instruction>(&value);
  if (operation == nullptr || depth == 0 || !(operation->isBinaryOp() || operation->isCast())) return false;
  return isUniform(value) && llvm::any_of(operation->operands(), [&](const llvm::Use& operand) {
           return isDistance(*operand.get(), depth - 1);
         });
}

// Made of the thread's index, constants and what is the same for all lanes.
bool isOfThread(const Value& value, unsigned depth = kDepth) {
  if (isUniform(value) || calledThreadIdx(value) != nullptr) return true;
  const auto* operation = llvm::dyn_cast<Instruction>(&value);
  if (operation == nullptr || depth == 0 || operation->mayReadOrWriteMemory()) return false;
  if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::CmpInst, llvm::IntrinsicInst,
                 llvm::PHINode, llvm::FreezeInst>(operation))
    return false;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(operation);
  return llvm::all_of(call != nullptr ? call->args() : operation->operands(),
                      [&](const llvm::Use& operand) { return isOfThread(*operand.get(), depth - 1); });
}

bool isOfLanes(const Value& value) { return !isUniform(value) && isOfThread(value); }

// No two lanes of a warp have the same value.
bool tellsLanesApart(const Value& value) {
  const Builtin* builtin = calledThreadIdx(value);
  return builtin != nullptr && builtin->axis == 0;
}

// Lanes of a warp have the same value in groups, as far as can be told: the number of a warp or of a row.
bool isOfGroups(const Value& value, unsigned depth = kDepth) {
  if (const Builtin* builtin = calledThreadIdx(value)) return builtin->axis != 0;
  const auto* operation = llvm::dyn_cast<Instruction>(&value);
  if (operation == nullptr || depth == 0) return false;
  const auto right = operation->getNumOperands() == 2 ? constantOf(operation->getOperand(1)) : std::nullopt;
  switch (operation->getOpcode()) {
    case Instruction::LShr:
    case Instruction::AShr:
      return right && *right > 0;
    case Instruction::UDiv:
    case Instruction::SDiv:
      return right && *right > 1;
    case Instruction::And:
      if (right && *right % 2 == 0) return true;
      [[fallthrough]];
    default:
      // Made of nothing else that differs.
      return llvm::all_of(operation->operands(), [&](const llvm::Use& operand) {
        return isUniform(*operand.get()) || isOfGroups(*operand.get(), depth - 1);
      });
  }
}

// That of the thread, or of the thread in a group.
bool isLaneNumber(const Value& value) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (operation == nullptr) return tellsLanesApart(value);
  return (operation->getOpcode() == Instruction::And || operation->getOpcode() == Instruction::URem) &&
         isUniform(*operation->getOperand(1)) && tellsLanesApart(*operation->getOperand(0));
}

// The greatest value of what is the same for all lanes; -1: may be any.
int64_t mostOf(const Value& value, const llvm::DataLayout& layout) {
  if (!isUniform(value) || !value.getType()->isIntegerTy()) return -1;
  const llvm::APInt most = llvm::computeKnownBits(&value, layout).getMaxValue();
  return most.getActiveBits() < 32 ? static_cast<int64_t>(most.getZExtValue()) : -1;
}

LeafKind kindOf(const Value& value, const llvm::DataLayout& layout) {
  LeafKind kind;
  kind.isOfLanes = isOfLanes(value);
  kind.isLaneNumber = isLaneNumber(value);
  kind.tellsLanesApart = tellsLanesApart(value);
  kind.isOfGroups = kind.isOfLanes && isOfGroups(value);
  kind.isCounter = isCounter(value);
  kind.isDistance = isDistance(value);
  kind.isOfData = !isUniform(value) && !isOfThread(value) && !inductionOf(value);
  kind.most = mostOf(value, layout);
  return kind;
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
      case Instruction::Freeze:
        return add(address, *left, factor, depth - 1);
      case Instruction::PHI:
        // What a lane begins with, and how often the loop has gone round.
        if (const auto induction = inductionOf(*operation);
            induction && induction->step->getOpcode() == Instruction::Add && !isUniform(*induction->start))
          add(address, *induction->start, factor, depth - 1);
        break;
      default:
        break;
    }
  }
  int64_t& coefficient = address.terms[&value];
  coefficient += factor;
  if (coefficient == 0) address.terms.erase(&value);
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
bool isWithinReach(const Value& leaf, int64_t coefficient, int64_t distance, const LanePair& pair) {
  const auto close = [&](int64_t count) {
    return count != 0 && std::abs(count) <= spreadOf(leaf, pair.lanes) &&
           std::abs(distance - count * coefficient) < static_cast<int64_t>(pair.bytes) &&
           pair.mayBeApart(leaf, count);
  };
  const int64_t near = distance / coefficient;
  return close(near) || close(near - 1) || close(near + 1);
}

// The addresses differ by a doubling distance, in elements of neighbouring lanes, and by a constant.
bool areDistant(const SharedAddress& one, const SharedAddress& other, const LanePair& pair) {
  const Value* distance = nullptr;
  bool isOfOne = false;
  int64_t coefficient = 0;
  const auto compare = [&](const SharedAddress& left, const SharedAddress& right, bool leftIsOne) {
    return llvm::all_of(left.terms, [&](const auto& term) {
      if (right.terms.lookup(term.first) == term.second) return true;
      if (distance != nullptr || !left.kinds.lookup(term.first).isDistance ||
          right.terms.contains(term.first))
        return false;
      distance = term.first;
      coefficient = term.second;
      isOfOne = leftIsOne;
      return true;
    });
  };
  if (!compare(one, other, true) || !compare(other, one, false) || distance == nullptr) return false;
  const auto isOfLane = [&](const auto& term) {
    return std::abs(term.second) == std::abs(coefficient) && one.kinds.lookup(term.first).isLaneNumber;
  };
  return llvm::any_of(one.terms, isOfLane) && pair.mayBeApartBy(*distance, isOfOne == (coefficient > 0));
}

// One is as data says, nothing else but lanes and rounds of loops tells them apart, and lanes have no
// elements of their own there.
bool dependOnData(const SharedAddress& one, const SharedAddress& other) {
  bool depends = false, otherwiseDiffer = false;
  const auto compare = [&](const SharedAddress& left, const SharedAddress& right) {
    for (const auto& [leaf, coefficient] : left.terms) {
      if (right.terms.lookup(leaf) == coefficient) continue;
      const LeafKind kind = left.kinds.lookup(leaf);
      depends |= kind.isOfData;
      otherwiseDiffer |= !kind.isOfData && !kind.isOfLanes && !kind.isCounter;
    }
  };
  compare(one, other);
  compare(other, one);
  const bool areOwn = llvm::any_of(one.terms, [&](const auto& term) {
    const LeafKind kind = one.kinds.lookup(term.first);
    return other.terms.lookup(term.first) == term.second && kind.isOfLanes && !kind.isOfGroups;
  });
  return depends && !otherwiseDiffer && !areOwn;
}

// The smallest and the greatest step from the element of one thread index to the next, in bytes; 0: none.
std::pair<int64_t, int64_t> stepsOfLanes(const SharedAddress& one, const SharedAddress& other) {
  int64_t least = 0, most = 0;
  for (const SharedAddress* address : {&one, &other}) {
    for (const auto& [leaf, coefficient] : address->terms) {
      if (!address->kinds.lookup(leaf).isOfLanes) continue;
      const int64_t step = std::abs(coefficient);
      least = least == 0 ? step : std::min(least, step);
      most = std::max(most, step);
    }
  }
  return {least, most};
}

}  // namespace

std::optional<SharedAddress> sharedAddressOf(const Value& pointer, const llvm::DataLayout& layout) {
  SharedAddress address;
  const Value* at = &pointer;
  for (unsigned depth = 0; depth < kDepth; ++depth) {
    if (isSharedBase(*at) || llvm::isa<llvm::Argument>(at)) {
      address.base = at;
      for (const auto& term : address.terms) address.kinds[term.first] = kindOf(*term.first, layout);
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

llvm::SmallVector<const Value*, 2> choicesOf(const Value& pointer) {
  constexpr size_t kMost = 8;
  llvm::SmallSetVector<const Value*, 8> seen;
  llvm::SmallVector<const Value*, 2> choices;
  seen.insert(&pointer);
  for (size_t i = 0; i < seen.size(); ++i) {
    const Value* value = seen[i];
    if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(value)) {
      seen.insert(select->getTrueValue());
      seen.insert(select->getFalseValue());
    } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) {
      seen.insert(phi->value_op_begin(), phi->value_op_end());
    } else {
      choices.push_back(value);
    }
    if (seen.size() > kMost) return {&pointer};
  }
  const bool moves = llvm::any_of(choices, [&](const Value* choice) {
    const Value* object = llvm::getUnderlyingObject(choice, 0);
    return object != choice && seen.contains(object);
  });
  return moves ? llvm::SmallVector<const Value*, 2>{&pointer} : choices;
}

bool haveSameBase(const SharedAddress& one, const SharedAddress& other) {
  return one.base == other.base || (isSharedBase(*one.base) && isSharedBase(*other.base) &&
                                    calledName(*one.base) == calledName(*other.base));
}

Meeting meetingOf(const SharedAddress& one, const SharedAddress& other, const LanePair& pair) {
  if (!haveSameBase(one, other)) return Meeting::kNever;
  bool threadsDiffer = false, placesDiffer = false, countersDiffer = false, othersDiffer = false;
  const auto [leastStep, mostStep] = stepsOfLanes(one, other);
  int64_t span = 0;
  const auto compare = [&](const SharedAddress& left, const SharedAddress& right) {
    for (const auto& [leaf, coefficient] : left.terms) {
      if (right.terms.lookup(leaf) == coefficient) continue;
      const LeafKind kind = left.kinds.lookup(leaf);
      const int64_t apart = kind.most >= 0 ? std::abs(coefficient) * kind.most : INT64_MAX;
      if (kind.isOfLanes) {
        threadsDiffer = true;
      } else if (kind.isCounter) {
        countersDiffer = true;
      } else if (apart <= mostStep * (pair.lanes - 1)) {
        // The place of a lane in its warp, as in `s[warp * 32 + (n & 31)]`.
        placesDiffer = true;
        span += apart;
      } else {
        othersDiffer = true;
      }
    }
  };
  compare(one, other);
  compare(other, one);
  if (othersDiffer) {
    if (areDistant(one, other, pair)) return Meeting::kOthers;
    return dependOnData(one, other) ? Meeting::kData : Meeting::kUnknown;
  }
  if (threadsDiffer || (placesDiffer && span >= leastStep)) return Meeting::kOthers;
  if (placesDiffer) return Meeting::kUnknown;
  if (countersDiffer) return Meeting::kUnknown;
  const int64_t distance = one.constant - other.constant;
  if (distance == 0) {
    return llvm::any_of(one.terms,
                        [&](const auto& term) { return one.kinds.lookup(term.first).tellsLanesApart; })
               ? Meeting::kOwn
               : Meeting::kSame;
  }
  for (const auto& [leaf, coefficient] : one.terms) {
    if (one.kinds.lookup(leaf).isOfLanes && isWithinReach(*leaf, coefficient, distance, pair))
      return Meeting::kOthers;
  }
  return Meeting::kNever;
}

}  // namespace musashim::mcc
