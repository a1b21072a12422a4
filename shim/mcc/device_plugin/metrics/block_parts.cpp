#include "block_parts.h"

#include <algorithm>

#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::SCEV;
using llvm::Value;

constexpr uint64_t kWidest = uint64_t{1} << 62;  // numbers of 64 bits are taken to stay below

const Builtin* getterOf(const SCEV* of) {
  const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(of);
  return unknown == nullptr ? nullptr : findBuiltin(calledName(*unknown->getValue()));
}

// Where numbers of so many bits may become negative.
uint64_t endOf(const llvm::Type& type) {
  return type.getIntegerBitWidth() > 62 ? kWidest : uint64_t{1} << (type.getIntegerBitWidth() - 1);
}

}  // namespace

BlockParts::BlockParts(llvm::ScalarEvolution& evolution, const llvm::DenseSet<const Value*>& ofBlock,
                       const llvm::DenseSet<const Value*>& known, const std::array<Value*, 3>& blockDim)
    : evolution_(evolution),
      ofBlock_(ofBlock),
      known_(known),
      blockDim_(blockDim),
      i64_(llvm::Type::getInt64Ty(evolution.getContext())) {}

bool BlockParts::dependsOnBlock(const SCEV* of) const {
  return llvm::SCEVExprContains(of, [&](const SCEV* part) {
    const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    return unknown != nullptr && ofBlock_.contains(unknown->getValue());
  });
}

bool BlockParts::isKnown(const SCEV* of) const {
  return !llvm::SCEVExprContains(of, [&](const SCEV* part) {
    if (llvm::isa<llvm::SCEVAddRecExpr>(part)) return true;
    const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    return unknown != nullptr && llvm::isa<llvm::Instruction>(unknown->getValue()) &&
           !known_.contains(unknown->getValue());
  });
}

const SCEV* BlockParts::wide(const SCEV* of, bool isSigned) {
  return isSigned ? evolution_.getNoopOrSignExtend(of, i64_) : evolution_.getNoopOrZeroExtend(of, i64_);
}

// An index of 32 bits that is a sum may go round where it is extended. As both blocks' accesses are within
// arrays, it goes round in none of their lanes or in all, unless arrays have more than 2^31 elements: where a
// block's part is that large, `ofNarrow` says so.
const SCEV* BlockParts::partOf(const SCEV* of, KindPart::Form ofNarrow, std::vector<KindPart>& parts) {
  if (!dependsOnBlock(of)) return evolution_.getZero(i64_);
  if (of->getType()->isIntegerTy() && of->getType()->getIntegerBitWidth() > 64) return nullptr;
  if (getterOf(of) != nullptr) return wide(of, false);
  switch (of->getSCEVType()) {
    case llvm::scZeroExtend:
    case llvm::scSignExtend: {
      const SCEV* inner = llvm::cast<llvm::SCEVCastExpr>(of)->getOperand();
      const SCEV* part = partOf(inner, ofNarrow, parts);
      if (part == nullptr || getterOf(inner) != nullptr) return part;
      parts.push_back({ofNarrow, part});
      return part;
    }
    case llvm::scTruncate:
    case llvm::scPtrToInt:
      return partOf(llvm::cast<llvm::SCEVCastExpr>(of)->getOperand(), ofNarrow, parts);
    case llvm::scAddExpr: {
      const SCEV* sum = evolution_.getZero(i64_);
      for (const SCEV* operand : llvm::cast<llvm::SCEVAddExpr>(of)->operands()) {
        const SCEV* part = partOf(operand, ofNarrow, parts);
        if (part == nullptr) return nullptr;
        sum = evolution_.getAddExpr(sum, part);
      }
      return sum;
    }
    case llvm::scMulExpr: {
      const SCEV *factor = evolution_.getOne(i64_), *part = nullptr;
      for (const SCEV* operand : llvm::cast<llvm::SCEVMulExpr>(of)->operands()) {
        if (dependsOnBlock(operand)) {
          if (part != nullptr) return isKnown(of) ? wide(of) : nullptr;
          part = partOf(operand, ofNarrow, parts);
          if (part == nullptr) return nullptr;
        } else if (isKnown(operand)) {
          factor = evolution_.getMulExpr(factor, wide(operand));
        } else {
          return nullptr;
        }
      }
      return evolution_.getMulExpr(factor, part);
    }
    case llvm::scAddRecExpr: {
      const auto* round = llvm::cast<llvm::SCEVAddRecExpr>(of);
      if (llvm::any_of(llvm::drop_begin(round->operands()),
                       [&](const SCEV* step) { return dependsOnBlock(step); }))
        return nullptr;
      return partOf(round->getStart(), ofNarrow, parts);
    }
    default:
      if (isKnown(of) && of->getType()->isIntegerTy()) return wide(of);
      return partOfChoice(of, ofNarrow, parts);
  }
}

// Of one of some values that have a part in common, whichever it is.
const SCEV* BlockParts::partOfChoice(const SCEV* of, KindPart::Form ofNarrow, std::vector<KindPart>& parts) {
  const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(of);
  if (unknown == nullptr) return nullptr;
  llvm::SmallVector<Value*, 4> values;
  if (auto* join = llvm::dyn_cast<llvm::PHINode>(unknown->getValue())) {
    values.append(join->value_op_begin(), join->value_op_end());
  } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(unknown->getValue())) {
    if (ofBlock_.contains(select->getCondition())) return nullptr;
    values = {select->getTrueValue(), select->getFalseValue()};
  }
  if (values.empty() || !choices_.insert(of).second) return nullptr;
  const SCEV* part = partOf(evolution_.getSCEV(values.front()), ofNarrow, parts);
  for (Value* value : llvm::drop_begin(values)) {
    if (part != nullptr && partOf(evolution_.getSCEV(value), ofNarrow, parts) != part) part = nullptr;
  }
  choices_.erase(of);
  return part;
}

bool BlockParts::addAddress(Value& address, std::vector<KindPart>& parts) {
  const SCEV* part = partOf(evolution_.getSCEV(&address), KindPart::kNarrow, parts);
  if (part == nullptr) return false;
  constexpr unsigned kSectorBits = 5;
  if (evolution_.getMinTrailingZeros(part) < kSectorBits) parts.push_back({KindPart::kPlace, part});
  return true;
}

bool BlockParts::addWhole(const SCEV* of, std::vector<KindPart>& parts) {
  if (!dependsOnBlock(of)) return true;
  if (!of->getType()->isIntegerTy()) return false;
  const SCEV* part = partOf(of, KindPart::kWhole, parts);
  if (part == nullptr) return false;
  parts.push_back({KindPart::kWhole, part});
  return true;
}

bool BlockParts::addWhole(Value& value, std::vector<KindPart>& parts) {
  return evolution_.isSCEVable(value.getType()) && addWhole(evolution_.getSCEV(&value), parts);
}

bool BlockParts::rangeOfProduct(const llvm::SCEVMulExpr& of, Range& range,
                                std::vector<KindPart::Check>& checks) {
  const SCEV *factor = evolution_.getOne(i64_), *rest = nullptr;
  for (const SCEV* operand : of.operands()) {
    if (isKnown(operand) && !dependsOnBlock(operand)) {
      factor = evolution_.getMulExpr(factor, wide(operand));
    } else {
      if (rest != nullptr) return false;
      rest = operand;
    }
  }
  if (rest == nullptr || !rangeOf(rest, range, checks)) return false;
  const SCEV *one = evolution_.getMulExpr(factor, range.low),
             *other = evolution_.getMulExpr(factor, range.high);
  range = {evolution_.getSMinExpr(one, other), evolution_.getSMaxExpr(one, other),
           evolution_.getMulExpr(factor, range.block)};
  return true;
}

bool BlockParts::rangeOf(const SCEV* of, Range& range, std::vector<KindPart::Check>& checks) {
  const SCEV* zero = evolution_.getZero(i64_);
  if (const Builtin* getter = getterOf(of); getter != nullptr && getter->value == BlockValue::kThreadIdx) {
    const SCEV* size = wide(evolution_.getSCEV(blockDim_[getter->axis]), false);
    range = {zero, evolution_.getMinusSCEV(size, evolution_.getOne(i64_)), zero};
    return true;
  }
  if (const Builtin* getter = getterOf(of); getter != nullptr && getter->value == BlockValue::kBlockIdx) {
    range = {zero, zero, wide(of, false)};
    return true;
  }
  if (!dependsOnBlock(of) && isKnown(of)) {
    range = {wide(of), wide(of), zero};
    return true;
  }
  switch (of->getSCEVType()) {
    case llvm::scZeroExtend:
    case llvm::scSignExtend: {
      const SCEV* inner = llvm::cast<llvm::SCEVCastExpr>(of)->getOperand();
      if (!rangeOf(inner, range, checks)) return false;
      if (getterOf(inner) != nullptr) return true;
      checks.push_back({evolution_.getAddExpr(range.low, range.block),
                        evolution_.getAddExpr(range.high, range.block), endOf(*inner->getType())});
      return true;
    }
    case llvm::scAddExpr: {
      Range sum{zero, zero, zero};
      for (const SCEV* operand : llvm::cast<llvm::SCEVAddExpr>(of)->operands()) {
        Range part;
        if (!rangeOf(operand, part, checks)) return false;
        sum = {evolution_.getAddExpr(sum.low, part.low), evolution_.getAddExpr(sum.high, part.high),
               evolution_.getAddExpr(sum.block, part.block)};
      }
      range = sum;
      return true;
    }
    case llvm::scMulExpr:
      return rangeOfProduct(*llvm::cast<llvm::SCEVMulExpr>(of), range, checks);
    default:
      return false;
  }
}

// Blocks of which all threads are within a bound, as those are that have no part in the grid's end, have that
// in common.
bool BlockParts::addComparison(const llvm::ICmpInst& compare, std::vector<KindPart>& parts) {
  if (!compare.getOperand(0)->getType()->isIntegerTy() ||
      compare.getOperand(0)->getType()->getIntegerBitWidth() > 64)
    return false;
  const SCEV *left = evolution_.getSCEV(compare.getOperand(0)),
             *right = evolution_.getSCEV(compare.getOperand(1));
  if (isKnown(left) && isKnown(right)) {
    parts.push_back({KindPart::kOutcome, left, right, compare.getPredicate()});
    return true;
  }
  llvm::CmpInst::Predicate predicate = compare.getPredicate();
  if (!dependsOnBlock(left)) {
    std::swap(left, right);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  std::vector<KindPart::Check> checks;
  Range range;
  if (dependsOnBlock(right) || !isKnown(right) || !rangeOf(left, range, checks))
    return addWhole(left, parts) && addWhole(right, parts);
  checks.push_back({evolution_.getAddExpr(range.low, range.block),
                    evolution_.getAddExpr(range.high, range.block), endOf(*left->getType())});
  const SCEV* bound = wide(right, !llvm::CmpInst::isUnsigned(predicate));
  const SCEV* most = evolution_.getConstant(i64_, kWidest);
  bound = llvm::CmpInst::isUnsigned(predicate)
              ? evolution_.getUMinExpr(bound, most)
              : evolution_.getSMaxExpr(evolution_.getSMinExpr(bound, most), evolution_.getNegativeSCEV(most));
  const SCEV* one = evolution_.getOne(i64_);
  KindPart part{KindPart::kBound,
                evolution_.getMinusSCEV(bound, range.block),
                range.block,
                predicate,
                evolution_.getMinusSCEV(range.low, one),
                evolution_.getAddExpr(range.high, one),
                checks};
  parts.push_back(part);
  return true;
}

}  // namespace musashim::mcc
