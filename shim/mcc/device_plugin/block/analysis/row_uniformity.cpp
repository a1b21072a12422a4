#include "row_uniformity.h"

#include "llvm/IR/PatternMatch.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::APInt;
using llvm::CmpInst;
using llvm::Value;
namespace match = llvm::PatternMatch;

constexpr unsigned kMostDepth = 8;

bool isIndexInRow(const Value& value) {
  const Value* index = &value;
  while (llvm::isa<llvm::ZExtInst>(index)) index = llvm::cast<llvm::ZExtInst>(index)->getOperand(0);
  const Builtin* threadIdx = calledThreadIdx(*index);
  return threadIdx != nullptr && threadIdx->axis == 0;
}

// Unsigned comparisons with a multiple of the warp size depend on the warp alone.
bool isBoundOfRows(CmpInst::Predicate predicate, const APInt& bound, uint64_t warpSize) {
  switch (predicate) {
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_UGE:
      return bound.urem(warpSize) == 0;
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_UGT:
      return (bound + 1).urem(warpSize) == 0;
    default:
      return false;
  }
}

// The value depends on the index of the warp alone, not on that of the thread in it.
bool asksForWarp(const Value& value, uint64_t warpSize) {
  Value* index = nullptr;
  const APInt* constant = nullptr;
  CmpInst::Predicate predicate{};
  if (match::match(&value, match::m_LShr(match::m_Value(index), match::m_APInt(constant))))
    return isIndexInRow(*index) && constant->uge(llvm::Log2_64(warpSize));
  if (match::match(&value, match::m_UDiv(match::m_Value(index), match::m_APInt(constant))))
    return isIndexInRow(*index) && constant->urem(warpSize) == 0;
  if (match::match(&value, match::m_And(match::m_Value(index), match::m_APInt(constant))))
    return isIndexInRow(*index) && constant->countr_zero() >= llvm::Log2_64(warpSize);
  if (match::match(&value, match::m_ICmp(predicate, match::m_Value(index), match::m_APInt(constant))))
    return isIndexInRow(*index) && isBoundOfRows(predicate, *constant, warpSize);
  return false;
}

class Search {
 public:
  Search(uint64_t warpSize, llvm::function_ref<bool(const Value&)> isOfThread)
      : warpSize_(warpSize), isOfThread_(isOfThread) {}

  bool isSame(const Value& value, unsigned depth) const {
    if (!isOfThread_(value)) return true;
    if (const Builtin* threadIdx = calledThreadIdx(value)) return threadIdx->axis != 0;
    if (depth == 0 || !llvm::isa<llvm::BinaryOperator, llvm::CastInst, CmpInst, llvm::SelectInst>(value))
      return false;
    return asksForWarp(value, warpSize_) ||
           llvm::all_of(llvm::cast<llvm::Instruction>(value).operands(),
                        [&](const llvm::Use& operand) { return isSame(*operand, depth - 1); });
  }

 private:
  const uint64_t warpSize_;
  const llvm::function_ref<bool(const Value&)> isOfThread_;
};

}  // namespace

bool isRowUniform(const Value& value, unsigned warpSize, llvm::function_ref<bool(const Value&)> isOfThread) {
  return Search(warpSize, isOfThread).isSame(value, kMostDepth);
}

}  // namespace musashim::mcc
