#include "affine_index.h"

#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::CallInst;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned kDeepest = 6;  // operations between an index and the thread's

// The only threadIdx.x in a sum. Null when there is none or more than one, or when it is scaled.
CallInst* threadOf(Value& value, UniformTerm uniform, unsigned deepest) {
  if (calledThreadIdx(value) != nullptr) return llvm::cast<CallInst>(&value);
  auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (sum == nullptr || deepest == 0) return nullptr;
  Value *left = sum->getOperand(0), *right = sum->getOperand(1);
  switch (sum->getOpcode()) {
    case Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(sum)->isDisjoint()) return nullptr;
      [[fallthrough]];
    case Instruction::Add:
      if (uniform(*left) != nullptr) return threadOf(*right, uniform, deepest - 1);
      [[fallthrough]];
    case Instruction::Sub:
      return uniform(*right) != nullptr ? threadOf(*left, uniform, deepest - 1) : nullptr;
    default:
      return nullptr;
  }
}

Value* sumFor(Value& value, Value* thread, UniformTerm uniform, IRBuilder<>& builder) {
  if (calledThreadIdx(value) != nullptr) return thread;
  if (Value* term = uniform(value)) return term;
  auto& sum = llvm::cast<llvm::BinaryOperator>(value);
  Value* left = sumFor(*sum.getOperand(0), thread, uniform, builder);
  Value* right = sumFor(*sum.getOperand(1), thread, uniform, builder);
  // Bits that are disjoint for every thread: a sum.
  return sum.getOpcode() == Instruction::Sub ? builder.CreateSub(left, right)
                                             : builder.CreateAdd(left, right);
}

}  // namespace

std::optional<AffineIndex> affineIndexOf(Instruction& instruction, UniformTerm uniform) {
  if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction)) return std::nullopt;
  Value& value = *instruction.getOperand(0);
  if (!value.getType()->isIntegerTy(32) || !instruction.getType()->isIntegerTy(64)) return std::nullopt;
  if (uniform(value) != nullptr || calledThreadIdx(value) != nullptr) return std::nullopt;
  CallInst* thread = threadOf(value, uniform, kDeepest);
  if (thread == nullptr || calledThreadIdx(*thread)->axis != 0) return std::nullopt;
  return AffineIndex{llvm::cast<llvm::CastInst>(&instruction), thread};
}

Value* doesNotWrap(const AffineIndex& sum, UniformTerm uniform, const UnitFunction& unit,
                   IRBuilder<>& builder) {
  Value* growth = builder.CreateSub(unit.blockDim[0], builder.getInt32(1));
  const auto largest = sum.isSigned() ? llvm::APInt::getSignedMaxValue(32) : llvm::APInt::getMaxValue(32);
  Value* limit = builder.CreateSub(builder.getInt(largest), growth);
  Value* first = sumFor(sum.sum(), builder.getInt32(0), uniform, builder);
  return builder.CreateICmp(sum.isSigned() ? llvm::ICmpInst::ICMP_SLE : llvm::ICmpInst::ICMP_ULE, first,
                            limit);
}

void widen(const AffineIndex& sum, UniformTerm uniform) {
  IRBuilder<> builder(sum.index);
  llvm::Type* type = sum.index->getType();
  Value* first = sumFor(sum.sum(), builder.getInt32(0), uniform, builder);
  Value* extended = sum.isSigned() ? builder.CreateSExt(first, type) : builder.CreateZExt(first, type);
  Value* thread = builder.CreateZExt(sum.thread, type);
  Value* index = builder.CreateAdd(extended, thread, "", /*HasNUW=*/!sum.isSigned(), /*HasNSW=*/true);
  sum.index->replaceAllUsesWith(index);
  sum.index->eraseFromParent();
}

}  // namespace musashim::mcc
