#include "thread_range.h"

#include "llvm/IR/PatternMatch.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::ICmpInst;
using llvm::IRBuilder;
using llvm::Value;
namespace match = llvm::PatternMatch;

// The axis whose index `value` is, extended or not.
std::optional<unsigned> axisOf(const Value& value) {
  const Value* source = &value;
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(source))
    source = llvm::cast<llvm::CastInst>(source)->getOperand(0);
  const Builtin* threadIdx = calledThreadIdx(*source);
  if (threadIdx == nullptr) return std::nullopt;
  return threadIdx->axis;
}

}  // namespace

std::optional<IndexComparison> comparisonOf(const Value& condition) {
  const auto* compare = llvm::dyn_cast<ICmpInst>(&condition);
  if (compare == nullptr) return std::nullopt;
  if (const auto axis = axisOf(*compare->getOperand(0)))
    return IndexComparison{*axis, compare->getPredicate(), compare->getOperand(1)};
  if (const auto axis = axisOf(*compare->getOperand(1)))
    return IndexComparison{*axis, compare->getSwappedPredicate(), compare->getOperand(0)};
  return std::nullopt;
}

// Thread indices are small: in 64 bits nothing below overflows.
void narrow(const UnitFunction& unit, const IndexComparison& comparison, ThreadRange& range,
            IRBuilder<>& builder) {
  llvm::Type* i64 = builder.getInt64Ty();
  const auto constant = [&](int64_t value) { return llvm::ConstantInt::getSigned(i64, value); };
  Value* size = builder.CreateZExt(unit.blockDim[comparison.axis], i64);
  const bool isSigned = !ICmpInst::isUnsigned(comparison.predicate);
  Value* bound =
      isSigned ? builder.CreateSExt(comparison.bound, i64) : builder.CreateZExt(comparison.bound, i64);
  // Unsigned bounds of 64 bits may look negative: they are beyond every index.
  if (!isSigned) bound = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, bound, size);
  bound = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, bound, constant(-1));
  bound = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, bound, size);
  Value* next =
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, builder.CreateAdd(bound, constant(1)), size);
  Value* atLeast0 = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, bound, constant(0));
  Value *first = nullptr, *end = nullptr;
  switch (comparison.predicate) {
    case ICmpInst::ICMP_ULT:
    case ICmpInst::ICMP_SLT:
      end = atLeast0;
      break;
    case ICmpInst::ICMP_ULE:
    case ICmpInst::ICMP_SLE:
      end = next;
      break;
    case ICmpInst::ICMP_UGT:
    case ICmpInst::ICMP_SGT:
      first = next;
      break;
    case ICmpInst::ICMP_UGE:
    case ICmpInst::ICMP_SGE:
      first = atLeast0;
      break;
    default:  // equal: empty where the bound is no index
      first = atLeast0;
      end = next;
      break;
  }
  AxisRange& axis = range[comparison.axis];
  const auto narrowed = [&](Value* value) { return builder.CreateTrunc(value, builder.getInt32Ty()); };
  if (first != nullptr) {
    first = narrowed(first);
    axis.first = axis.first == nullptr
                     ? first
                     : builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, axis.first, first);
  }
  if (end != nullptr) {
    end = narrowed(end);
    axis.end =
        axis.end == nullptr ? end : builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, axis.end, end);
  }
}

bool comparesThreadIdx(Value& condition, llvm::function_ref<bool(const Value&)> isUniform) {
  Value *left = nullptr, *right = nullptr;
  if (match::match(&condition, match::m_LogicalAnd(match::m_Value(left), match::m_Value(right)))) {
    return comparesThreadIdx(*left, isUniform) && comparesThreadIdx(*right, isUniform);
  }
  const auto comparison = comparisonOf(condition);
  return comparison.has_value() && comparison->predicate != ICmpInst::ICMP_NE &&
         isUniform(*comparison->bound);
}

ThreadRange narrowThreads(const UnitFunction& unit, Value& condition, IRBuilder<>& builder) {
  ThreadRange range;
  llvm::SmallVector<Value*, 4> work{&condition};
  while (!work.empty()) {
    Value* next = work.pop_back_val();
    Value *left = nullptr, *right = nullptr;
    if (match::match(next, match::m_LogicalAnd(match::m_Value(left), match::m_Value(right)))) {
      work.append({left, right});
    } else {
      narrow(unit, *comparisonOf(*next), range, builder);
    }
  }
  return range;
}

Value* hasThreads(const UnitFunction& unit, const ThreadRange& range, IRBuilder<>& builder) {
  Value* result = nullptr;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (range[axis].first == nullptr && range[axis].end == nullptr) continue;
    Value* first = range[axis].first != nullptr ? range[axis].first : builder.getInt32(0);
    Value* end = range[axis].end != nullptr ? range[axis].end : static_cast<Value*>(unit.blockDim[axis]);
    Value* any = builder.CreateICmpULT(first, end);
    result = result == nullptr ? any : builder.CreateAnd(result, any);
  }
  return result;
}

}  // namespace musashim::mcc
