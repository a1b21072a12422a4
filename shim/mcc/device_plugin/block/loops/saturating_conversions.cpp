#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "mcc/device_plugin/passes.h"
#include "vector_arithmetic.h"

namespace musashim::mcc {
namespace {

using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned kMostBits = 32;

bool isWanted(const llvm::IntrinsicInst& conversion) {
  const auto intrinsic = conversion.getIntrinsicID();
  if (intrinsic != llvm::Intrinsic::fptosi_sat && intrinsic != llvm::Intrinsic::fptoui_sat) return false;
  const llvm::Type* source = conversion.getArgOperand(0)->getType();
  return conversion.getType()->isIntegerTy() && conversion.getType()->getIntegerBitWidth() <= kMostBits &&
         (source->isFloatTy() || source->isDoubleTy());
}

// Numbers beyond the bounds give the bounds, and NaN zero. What an out-of-range conversion gives is not
// taken.
Value* saturate(llvm::IntrinsicInst& conversion) {
  const bool isSigned = conversion.getIntrinsicID() == llvm::Intrinsic::fptosi_sat;
  const unsigned bits = conversion.getType()->getIntegerBitWidth();
  IRBuilder<> builder(&conversion);
  Value* source = conversion.getArgOperand(0);
  llvm::Type* type = source->getType();
  const llvm::APInt least = isSigned ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getZero(bits);
  const llvm::APInt most = isSigned ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  llvm::APFloat upper(type->getFltSemantics());
  const bool isExact = upper.convertFromAPInt(most, isSigned, llvm::APFloat::rmNearestTiesToEven) ==
                       llvm::APFloat::opOK;  // else it is the next number, the first that is too large
  llvm::APFloat lower(type->getFltSemantics());
  lower.convertFromAPInt(least, isSigned, llvm::APFloat::rmNearestTiesToEven);

  Value* low = llvm::ConstantFP::get(type, lower);
  Value* high = llvm::ConstantFP::get(type, upper);
  Value* number = builder.CreateSelect(builder.CreateFCmpOGT(source, low), source, low);  // NaN: the least
  if (isExact) number = builder.CreateSelect(builder.CreateFCmpOLT(number, high), number, high);
  // Signed ones are vectors on all processors.
  const bool fitsSigned = isSigned || bits < kMostBits;
  Value* whole = fitsSigned ? builder.CreateFPToSI(number, builder.getInt32Ty())
                            : builder.CreateFPToUI(number, builder.getInt32Ty());
  whole = builder.CreateTrunc(whole, conversion.getType());
  if (!isExact) {
    whole = builder.CreateSelect(builder.CreateFCmpOGE(source, high), builder.getInt(most), whole);
  }
  if (!isSigned) return whole;
  return builder.CreateSelect(builder.CreateFCmpUNO(source, source), builder.getIntN(bits, 0), whole);
}

}  // namespace

llvm::PreservedAnalyses SaturatingConversions::run(llvm::Function& function,
                                                   llvm::FunctionAnalysisManager& analyses) {
  if (function.hasOptSize() || function.hasOptNone()) return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::IntrinsicInst*, 8> conversions;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!isForVectors(*loop)) continue;
    for (llvm::BasicBlock* block : loop->blocks()) {
      for (llvm::Instruction& instruction : *block) {
        auto* conversion = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (conversion != nullptr && isWanted(*conversion)) conversions.push_back(conversion);
      }
    }
  }
  for (llvm::IntrinsicInst* conversion : conversions) {
    conversion->replaceAllUsesWith(saturate(*conversion));
    conversion->eraseFromParent();
  }
  return keepsBranches(!conversions.empty());
}

}  // namespace musashim::mcc
