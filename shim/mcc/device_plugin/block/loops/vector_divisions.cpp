#include <map>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/DivisionByConstantInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "mcc/device_plugin/passes.h"
#include "thread_loops.h"
#include "vector_arithmetic.h"

namespace musashim::mcc {
namespace {

using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Loop;
using llvm::Value;

constexpr unsigned kBits = 32, kWideBits = 64;

bool isSignedDivision(const BinaryOperator& division) {
  return division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
}

// The upper half of a product with a constant, from products of halves: for these there are vectors.
Value* upperHalf(IRBuilder<>& builder, Value* value, const llvm::APInt& factor) {
  const auto number = [&](const llvm::APInt& half) { return llvm::ConstantInt::get(value->getType(), half); };
  const auto upper = [&](Value* whole) { return builder.CreateLShr(whole, kBits); };
  const auto lower = [&](Value* whole) {
    return builder.CreateAnd(whole, number(llvm::APInt::getLowBitsSet(kWideBits, kBits)));
  };
  Value *low = number(factor & llvm::APInt::getLowBitsSet(kWideBits, kBits)),
        *high = number(factor.lshr(kBits));
  Value *ofLow = lower(value), *ofHigh = upper(value);
  Value* first =
      builder.CreateNUWAdd(builder.CreateNUWMul(ofHigh, low), upper(builder.CreateNUWMul(ofLow, low)));
  Value* second = builder.CreateNUWAdd(builder.CreateNUWMul(ofLow, high), lower(first));
  return builder.CreateNUWAdd(builder.CreateNUWAdd(builder.CreateNUWMul(ofHigh, high), upper(first)),
                              upper(second));
}

// The quotient of 64-bit numbers without a sign by a constant, which is no power of two.
Value* wideQuotient(IRBuilder<>& builder, Value* dividend, const llvm::APInt& divisor) {
  const auto magic = llvm::UnsignedDivisionByConstantInfo::get(divisor);
  Value* shifted = magic.PreShift != 0 ? builder.CreateLShr(dividend, magic.PreShift) : dividend;
  Value* quotient = upperHalf(builder, shifted, magic.Magic);
  if (magic.IsAdd) {
    Value* half = builder.CreateLShr(builder.CreateSub(shifted, quotient), 1);
    quotient = builder.CreateAdd(half, quotient);
  }
  return builder.CreateLShr(quotient, magic.PostShift);
}

class Divisions {
 public:
  explicit Divisions(Loop& loop)
      : loop_(loop), isForced_(llvm::getBooleanLoopAttribute(&loop, "llvm.loop.vectorize.enable")) {}

  bool run() {
    llvm::SmallVector<BinaryOperator*, 8> divisions;
    for (llvm::BasicBlock* block : loop_.blocks()) {
      for (Instruction& instruction : *block) {
        // The loop will not be vectorised.
        if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction))
          return false;
        if (llvm::isa<llvm::SwitchInst>(instruction) || instruction.isAtomic()) return false;
        auto* division = llvm::dyn_cast<BinaryOperator>(&instruction);
        if (division != nullptr && isWanted(*division)) divisions.push_back(division);
      }
    }
    for (BinaryOperator* division : divisions) {
      Value* result = replacement(*division);
      result->takeName(division);
      division->replaceAllUsesWith(result);
      division->eraseFromParent();
    }
    return !divisions.empty();
  }

 private:
  bool isWanted(const BinaryOperator& division) const {
    if (!division.isIntDivRem()) return false;
    if (division.getType()->isIntegerTy(kWideBits)) return isForced_ && isByConstant(division);
    return division.getType()->isIntegerTy(kBits) && !llvm::isa<llvm::Constant>(division.getOperand(1));
  }

  // Of 64-bit numbers without a sign. Not for vectors, one product and a shift is less.
  static bool isByConstant(const BinaryOperator& division) {
    const auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(division.getOperand(1));
    return divisor != nullptr && !isSignedDivision(division) && divisor->getValue().ugt(1) &&
           !divisor->getValue().isPowerOf2();
  }

  static Value* toDouble(IRBuilder<>& builder, Value* value, bool isSigned) {
    llvm::Type* type = builder.getDoubleTy();
    return isSigned ? builder.CreateSIToFP(value, type) : builder.CreateUIToFP(value, type);
  }

  Value* replacement(BinaryOperator& division) {
    const bool isSigned = isSignedDivision(division);
    Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
    IRBuilder<> builder(&division);
    if (division.getType()->isIntegerTy(kWideBits)) {
      Value* quotient = wideQuotient(builder, dividend, llvm::cast<llvm::ConstantInt>(divisor)->getValue());
      if (division.getOpcode() == Instruction::UDiv) return quotient;
      return builder.CreateSub(dividend, builder.CreateMul(quotient, divisor));
    }
    Value* exact = toDouble(builder, dividend, isSigned);
    if (loop_.isLoopInvariant(divisor) && loop_.getLoopPreheader() != nullptr) {
      exact = builder.CreateFMul(exact, reciprocal(*divisor, isSigned));
    } else {
      exact = builder.CreateFDiv(exact, toDouble(builder, divisor, isSigned));
    }
    Value* quotient = isSigned ? builder.CreateFPToSI(exact, division.getType())
                               : builder.CreateFPToUI(exact, division.getType());
    const auto opcode = division.getOpcode();
    if (opcode == Instruction::SDiv || opcode == Instruction::UDiv) return quotient;
    return builder.CreateSub(dividend, builder.CreateMul(quotient, divisor));
  }

  // The next double behind 1 / divisor, away from zero, so that no whole quotient comes out below itself. The
  // relative error of a product is less than 2^-51 then, and a quotient is further than 2^-33 below the next
  // whole number.
  Value* reciprocal(Value& divisor, bool isSigned) {
    Value*& known = reciprocals_[{&divisor, isSigned}];
    if (known != nullptr) return known;
    IRBuilder<> builder(loop_.getLoopPreheader()->getTerminator());
    Value* nearest = builder.CreateFDiv(llvm::ConstantFP::get(builder.getDoubleTy(), 1),
                                        toDouble(builder, &divisor, isSigned));
    Value* bits = builder.CreateBitCast(nearest, builder.getInt64Ty());
    known = builder.CreateBitCast(builder.CreateAdd(bits, builder.getInt64(1)), builder.getDoubleTy());
    return known;
  }

  Loop& loop_;
  const bool isForced_;  // to become vectors
  std::map<std::pair<Value*, bool>, Value*> reciprocals_;
};

}  // namespace

bool isForVectors(const Loop& loop) {
  return loop.isInnermost() &&
         (isOverThreads(loop) || llvm::findStringMetadataForLoop(&loop, "llvm.loop.vectorize.enable"));
}

llvm::PreservedAnalyses VectorDivisions::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  if (function.hasOptSize() || function.hasOptNone()) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (isForVectors(*loop)) changed |= Divisions(*loop).run();
  }
  return keepsBranches(changed);
}

}  // namespace musashim::mcc
