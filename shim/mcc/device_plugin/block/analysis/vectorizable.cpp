#include "vectorizable.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;

bool isVectorIntrinsic(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call == nullptr) return false;
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::copysign:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::usub_sat:
    case llvm::Intrinsic::abs:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool isVectorArithmetic(const Instruction& instruction) {
  llvm::Type* type = instruction.getType();
  const unsigned bits = type->getScalarSizeInBits();
  if (!type->isIntegerTy() && !type->isFloatTy() && !type->isDoubleTy()) return false;
  if (bits != 1 && bits != 32 && bits != 64) return false;
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      return bits == 32;  // by doubles (block/loops/vector_arithmetic.h)
    case Instruction::FRem:
      return false;
    case Instruction::Mul:
      return bits == 32;
    case Instruction::FPToSI:
    case Instruction::SIToFP:
      return bits == 32 && instruction.getOperand(0)->getType()->getScalarSizeInBits() == 32;
    case Instruction::FPToUI:
    case Instruction::UIToFP:
      return false;
    default:
      return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst, llvm::SelectInst,
                       llvm::PHINode, llvm::FreezeInst, llvm::CastInst>(instruction) ||
             isVectorIntrinsic(instruction);
  }
}

unsigned vectorBits(const llvm::TargetTransformInfo& target) {
  const llvm::TypeSize bits = target.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector);
  return std::max(static_cast<unsigned>(bits.getFixedValue()), kAtLeastVectorBits);
}

}  // namespace musashim::mcc
