#include "no_wrap_checks.h"

namespace musashim::mcc {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

namespace {

constexpr size_t kMostIndices = 4;       // of a loop: more checks would take longer than they save
constexpr size_t kMostUnitIndices = 16;  // of a unit

}  // namespace

NoWrapChecks::NoWrapChecks(llvm::Loop& loop, const UnitFunction& unit, const BlockCondition& condition)
    : loop_(loop), unit_(unit), condition_(condition) {
  const auto uniform = [this](Value& value) { return uniformTerm(value, nullptr); };
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& instruction : *block) {
      if (const auto sum = affineIndexOf(instruction, uniform)) indices_.push_back(*sum);
    }
  }
  if (indices_.size() > kMostIndices) indices_.clear();
}

// The term's value, if it is known before an iteration begins: this one, or the one that is entered from
// `before`.
Value* NoWrapChecks::uniformTerm(Value& value, const BasicBlock* before) const {
  if (!condition_.isUniform(value)) return nullptr;
  auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  if (phi != nullptr && phi->getParent() == loop_.getHeader())
    return before != nullptr ? phi->getIncomingValueForBlock(before) : phi;
  return loop_.isLoopInvariant(&value) ? &value : nullptr;
}

Value* NoWrapChecks::noneWraps(const BasicBlock& before, const Value* known, IRBuilder<>& builder) const {
  const auto uniform = [&](Value& value) { return uniformTerm(value, &before); };
  Value* all = builder.getTrue();
  for (const AffineIndex& sum : indices_) {
    if (&sum.sum() == known && sum.isSigned()) continue;
    all = builder.CreateAnd(all, doesNotWrap(sum, uniform, unit_, builder));
  }
  return all;
}

void NoWrapChecks::widen() {
  for (const AffineIndex& sum : indices_)
    mcc::widen(sum, [this](Value& value) { return uniformTerm(value, nullptr); });
}

Value* widenUnitIndices(const UnitFunction& unit, llvm::ArrayRef<BasicBlock*> blocks) {
  const BasicBlock* entry = &unit.entry();
  const auto uniform = [entry](Value& value) -> Value* {
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    return instruction == nullptr || instruction->getParent() == entry ? &value : nullptr;
  };
  llvm::SmallVector<AffineIndex, 8> sums;
  for (BasicBlock* block : blocks) {
    for (Instruction& instruction : *block) {
      if (const auto sum = affineIndexOf(instruction, uniform)) sums.push_back(*sum);
    }
  }
  if (sums.size() > kMostUnitIndices) return nullptr;
  Value* all = nullptr;
  IRBuilder<> builder = unit.atEntryEnd();
  for (const AffineIndex& sum : sums) {
    Value* one = doesNotWrap(sum, uniform, unit, builder);
    all = all == nullptr ? one : builder.CreateAnd(all, one);
    widen(sum, uniform);
  }
  return all;
}

}  // namespace musashim::mcc
