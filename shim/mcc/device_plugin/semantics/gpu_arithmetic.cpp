// Gives division, shifts, conversions, minima and maxima the results of GPUs where those of x86 or C++
// differ.
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PatternMatch.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

using llvm::BinaryOperator;
using llvm::IRBuilder;
using llvm::Value;

bool isConstantInRange(const Value* amount, unsigned bits) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(amount);
  return constant != nullptr && constant->getValue().ult(bits);
}

// GPUs return all ones for x / 0 and the dividend for x % 0 (measured on H200, see
// conformance/expectations/language); INT_MIN / -1 wraps. x86 traps on all of them. No branch and no select:
// where the divisor is the same for all iterations, loops would be unswitched for divisors that never come.
Value* guardDivision(BinaryOperator& division) {
  Value* dividend = division.getOperand(0);
  Value* divisor = division.getOperand(1);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(divisor)) {
    if (!constant->isZero() && !constant->isMinusOne()) return nullptr;
  }
  const auto opcode = division.getOpcode();
  const bool isSigned = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
  const bool isDivision = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::UDiv;
  IRBuilder<> builder(&division);
  Value* one = llvm::ConstantInt::get(division.getType(), 1);
  const auto oneIfZero = [&](Value* value) {
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, one, value);
  };
  Value* byZero = oneIfZero(divisor);
  Value* byMinusOne = isSigned ? oneIfZero(builder.CreateNot(divisor)) : nullptr;
  Value* safeDivisor = builder.CreateAdd(divisor, byZero);  // 1 for 0 and -1
  if (isSigned) safeDivisor = builder.CreateAdd(safeDivisor, builder.CreateShl(byMinusOne, one));
  Value* result = builder.CreateBinOp(opcode, dividend, safeDivisor);
  Value* zeroMask = builder.CreateNeg(byZero);
  if (!isDivision) return builder.CreateOr(result, builder.CreateAnd(dividend, zeroMask));
  if (isSigned)
    result = builder.CreateAdd(builder.CreateXor(result, builder.CreateNeg(byMinusOne)), byMinusOne);
  return builder.CreateOr(result, zeroMask);
}

// Shifts by the width or more give what is left: zeros, or the sign.
Value* clampShift(BinaryOperator& shift) {
  Value* amount = shift.getOperand(1);
  const unsigned bits = shift.getType()->getScalarSizeInBits();
  if (shift.getType()->isVectorTy() || isConstantInRange(amount, bits)) return nullptr;
  IRBuilder<> builder(&shift);
  llvm::Type* type = shift.getType();
  Value* inRange = builder.CreateICmpULT(amount, llvm::ConstantInt::get(type, bits));
  if (shift.getOpcode() == llvm::Instruction::AShr) {
    Value* clamped = builder.CreateSelect(inRange, amount, llvm::ConstantInt::get(type, bits - 1));
    return builder.CreateAShr(shift.getOperand(0), clamped);
  }
  Value* shifted = builder.CreateBinOp(shift.getOpcode(), shift.getOperand(0), amount);
  return builder.CreateSelect(inRange, shifted, llvm::Constant::getNullValue(type));
}

// Saturates. NaN gives 0, or the highest bit where source or result has 64 bits
// (measured on H200, see conformance/expectations/language/conversions.json).
Value* saturateConversion(llvm::CastInst& conversion) {
  IRBuilder<> builder(&conversion);
  Value* source = conversion.getOperand(0);
  llvm::Type* type = conversion.getType();
  const auto intrinsic = conversion.getOpcode() == llvm::Instruction::FPToSI ? llvm::Intrinsic::fptosi_sat
                                                                             : llvm::Intrinsic::fptoui_sat;
  Value* result = builder.CreateIntrinsic(intrinsic, {type, conversion.getSrcTy()}, {source});
  const unsigned bits = type->getScalarSizeInBits();
  const bool wide = bits == 64 || conversion.getSrcTy()->getScalarType()->isDoubleTy();
  if (!wide || bits < 32) return result;
  Value* highestBit = llvm::ConstantInt::get(type, llvm::APInt::getSignMask(bits));
  return builder.CreateSelect(builder.CreateFCmpUNO(source, source), highestBit, result);
}

bool isNonZeroConstant(Value* value) {
  const llvm::APFloat* constant = nullptr;
  return llvm::PatternMatch::match(value, llvm::PatternMatch::m_APFloat(constant)) && !constant->isZero();
}

bool isNeverNegative(const Value* value, const llvm::Instruction& at) {
  const llvm::SimplifyQuery query(at.getModule()->getDataLayout(), &at);
  const llvm::KnownFPClass known = llvm::computeKnownFPClass(value, llvm::fcAllFlags, /*Depth=*/0, query);
  return known.SignBit.has_value() && !*known.SignBit;
}

// -0 is below +0 for GPUs' minima and maxima, which C and LLVM leave open: of equal
// numbers, the sign bits decide.
Value* orderZeros(llvm::IntrinsicInst& call) {
  const bool isMinimum = call.getIntrinsicID() == llvm::Intrinsic::minnum;
  if (!isMinimum && call.getIntrinsicID() != llvm::Intrinsic::maxnum) return nullptr;
  Value *a = call.getArgOperand(0), *b = call.getArgOperand(1);
  if (call.hasNoSignedZeros() || isNonZeroConstant(a) || isNonZeroConstant(b)) return nullptr;
  if (isNeverNegative(a, call) && isNeverNegative(b, call)) return nullptr;
  IRBuilder<> builder(&call);
  builder.setFastMathFlags(call.getFastMathFlags());
  llvm::Type* type = call.getType();
  llvm::Type* bits = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
  Value* first = builder.CreateBitCast(a, bits);
  Value* second = builder.CreateBitCast(b, bits);
  Value* ofEqual = isMinimum ? builder.CreateOr(first, second) : builder.CreateAnd(first, second);
  Value* ofOthers = builder.CreateBinaryIntrinsic(call.getIntrinsicID(), a, b);
  return builder.CreateSelect(builder.CreateFCmpOEQ(a, b), builder.CreateBitCast(ofEqual, type), ofOthers);
}

Value* replacementFor(llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem:
      return instruction.getType()->isVectorTy() ? nullptr
                                                 : guardDivision(llvm::cast<BinaryOperator>(instruction));
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      return clampShift(llvm::cast<BinaryOperator>(instruction));
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI:
      return saturateConversion(llvm::cast<llvm::CastInst>(instruction));
    case llvm::Instruction::Call:
      if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return orderZeros(*intrinsic);
      return nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

llvm::PreservedAnalyses GpuArithmetic::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::Instruction*, 32> work;
  for (llvm::Instruction& instruction : llvm::instructions(function)) work.push_back(&instruction);
  bool changed = false;
  for (llvm::Instruction* instruction : work) {
    Value* replacement = replacementFor(*instruction);
    if (replacement == nullptr) continue;
    instruction->replaceAllUsesWith(replacement);
    instruction->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
