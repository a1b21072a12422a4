#include "monotonic_conditions.h"

#include "llvm/IR/PatternMatch.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {

using llvm::Instruction;
using llvm::Value;
namespace match = llvm::PatternMatch;

namespace {

// Thread indices are below 1024. Shifted by no more than kLargestShift, an index makes a 32-bit sum wrap at
// most once, which shows.
constexpr unsigned kSmallestWidth = 32;
constexpr uint64_t kLargestShift = 16;

bool isConversion(const Instruction& instruction) {
  return llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::FreezeInst>(instruction);
}

}  // namespace

bool BlockCondition::isUniform(const Value& value) const {
  if (llvm::isa<llvm::Constant, llvm::Argument>(value)) return true;
  return uniform_.contains(&value) || uniformity_.isUniform(value);
}

bool BlockCondition::growsWithThread(const Value& value, unsigned depth) const {
  if (calledThreadIdx(value) != nullptr || isUniform(value)) return true;
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (instruction == nullptr || depth == 0 || !value.getType()->isIntegerTy()) return false;
  if (value.getType()->getIntegerBitWidth() < kSmallestWidth) return false;
  if (isConversion(*instruction)) return growsWithThread(*instruction->getOperand(0), depth - 1);
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(instruction);
  if (operation == nullptr) return false;
  Value* left = operation->getOperand(0);
  Value* right = operation->getOperand(1);
  switch (operation->getOpcode()) {
    case Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint()) return false;
      [[fallthrough]];
    case Instruction::Add:
      return growsWithThread(*left, depth - 1) && growsWithThread(*right, depth - 1);
    case Instruction::Sub:
      return growsWithThread(*left, depth - 1) && isUniform(*right);
    // A row or a plane: the block's size times an index. Others may shrink when they wrap.
    case Instruction::Mul:
      return (growsWithThread(*left, depth - 1) && llvm::is_contained(unit_.blockDim, right)) ||
             (growsWithThread(*right, depth - 1) && llvm::is_contained(unit_.blockDim, left));
    case Instruction::Shl:
      return growsWithThread(*left, depth - 1) && llvm::isa<llvm::ConstantInt>(right) &&
             llvm::cast<llvm::ConstantInt>(right)->getValue().ule(kLargestShift);
    default:
      return false;
  }
}

Value* BlockCondition::at(Value& value, Corner corner, llvm::IRBuilder<>& builder) const {
  if (const Builtin* builtin = calledThreadIdx(value)) {
    if (corner == Corner::kFirst) return builder.getInt32(0);
    return builder.CreateSub(unit_.blockDim[builtin->axis], builder.getInt32(1));
  }
  if (isUniform(value)) return &value;
  auto& instruction = llvm::cast<Instruction>(value);
  Instruction* copy = instruction.clone();
  copy->dropPoisonGeneratingFlags();
  for (unsigned i = 0; i < copy->getNumOperands(); ++i)
    copy->setOperand(i, at(*instruction.getOperand(i), corner, builder));
  return builder.Insert(copy);
}

Value* BlockCondition::growthOf(Value& value, llvm::IRBuilder<>& builder) const {
  if (value.getType() != builder.getInt32Ty()) return nullptr;
  if (const Builtin* builtin = calledThreadIdx(value))
    return builder.CreateSub(unit_.blockDim[builtin->axis], builder.getInt32(1));
  if (isUniform(value)) return builder.getInt32(0);
  const auto& operation = llvm::cast<Instruction>(value);
  const auto opcode = operation.getOpcode();
  if (opcode != Instruction::Add && opcode != Instruction::Sub && opcode != Instruction::Or) return nullptr;
  Value* left = growthOf(*operation.getOperand(0), builder);
  Value* right = left == nullptr ? nullptr : growthOf(*operation.getOperand(1), builder);
  return right == nullptr ? nullptr : builder.CreateAdd(left, right);
}

Value* BlockCondition::compareForAll(llvm::ICmpInst& compare, bool wanted, llvm::IRBuilder<>& builder) const {
  llvm::ICmpInst::Predicate predicate = wanted ? compare.getPredicate() : compare.getInversePredicate();
  Value* left = compare.getOperand(0);
  Value* right = compare.getOperand(1);
  if (!left->getType()->isIntegerTy()) return nullptr;
  if (isUniform(*left)) {
    std::swap(left, right);
    predicate = llvm::ICmpInst::getSwappedPredicate(predicate);
  }
  if (!isUniform(*right) || !growsWithThread(*left) || llvm::ICmpInst::isEquality(predicate)) return nullptr;
  const bool below = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
  const bool isSigned = llvm::ICmpInst::isSigned(predicate);
  Value* first = at(*left, Corner::kFirst, builder);
  Value* growth = growthOf(*left, builder);
  if (growth != nullptr && llvm::ICmpInst::isLT(predicate)) {
    // One comparison in each iteration of a loop: its right side is loop-invariant.
    const auto difference = isSigned ? llvm::Intrinsic::ssub_sat : llvm::Intrinsic::usub_sat;
    return builder.CreateICmp(predicate, first, builder.CreateBinaryIntrinsic(difference, right, growth));
  }
  Value* last = at(*left, Corner::kLast, builder);
  // Between the two the value grows, unless it wrapped in between.
  Value* ordered =
      builder.CreateICmp(isSigned ? llvm::ICmpInst::ICMP_SLE : llvm::ICmpInst::ICMP_ULE, first, last);
  return builder.CreateAnd(ordered, builder.CreateICmp(predicate, below ? last : first, right));
}

Value* BlockCondition::forAll(Value& condition, bool wanted, llvm::IRBuilder<>& builder) const {
  if (isUniform(condition)) return wanted ? &condition : builder.CreateNot(&condition);
  Value *left = nullptr, *right = nullptr;
  if (match::match(&condition, match::m_Not(match::m_Value(left)))) return forAll(*left, !wanted, builder);
  const bool conjunction =
      match::match(&condition, match::m_LogicalAnd(match::m_Value(left), match::m_Value(right)));
  if (conjunction ||
      match::match(&condition, match::m_LogicalOr(match::m_Value(left), match::m_Value(right)))) {
    Value* first = forAll(*left, wanted, builder);
    Value* second = first == nullptr ? nullptr : forAll(*right, wanted, builder);
    if (second == nullptr) return nullptr;
    // Each part must hold for all; that one part does for some and the other for the rest is not seen.
    return conjunction == wanted ? builder.CreateAnd(first, second) : builder.CreateOr(first, second);
  }
  auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  return compare == nullptr ? nullptr : compareForAll(*compare, wanted, builder);
}

}  // namespace musashim::mcc
