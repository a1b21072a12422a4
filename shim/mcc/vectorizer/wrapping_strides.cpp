#include "wrapping_strides.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace musashim::mcc {
namespace {

constexpr unsigned kNarrowBits = 16;  // wider indices do not wrap in practice

// An extended narrow index whose stride is more than one.
bool isWrapping(const llvm::SCEV* part, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const auto* wider = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(part);
  if (wider == nullptr || llvm::isa<llvm::SCEVTruncateExpr>(wider)) return false;
  const auto* index = llvm::dyn_cast<llvm::SCEVAddRecExpr>(wider->getOperand());
  if (index == nullptr || index->getLoop() != &loop) return false;
  if (evolution.getTypeSizeInBits(index->getType()) > kNarrowBits) return false;
  const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(index->getStepRecurrence(evolution));
  return step != nullptr && !step->getAPInt().isOne() && !step->getAPInt().isAllOnes();
}

bool hasWrappingStride(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& access : *block) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&access);
      if (pointer == nullptr) continue;
      const llvm::SCEV* address = evolution.getSCEV(const_cast<llvm::Value*>(pointer));
      const auto wraps = [&](const llvm::SCEV* part) { return isWrapping(part, loop, evolution); };
      if (llvm::SCEVExprContains(address, wraps)) return true;
    }
  }
  return false;
}

void keepScalar(llvm::Loop& loop) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  const auto property = [&](const char* name, llvm::Constant* value) {
    return llvm::MDNode::get(context,
                             {llvm::MDString::get(context, name), llvm::ConstantAsMetadata::get(value)});
  };
  loop.setLoopID(llvm::makePostTransformationMetadata(
      context, loop.getLoopID(), {"llvm.loop.vectorize.", "llvm.loop.interleave."},
      {property("llvm.loop.vectorize.enable", llvm::ConstantInt::getFalse(context))}));
}

}  // namespace

llvm::PreservedAnalyses WrappingStrides::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (loop->isInnermost() && hasWrappingStride(*loop, evolution)) keepScalar(*loop);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
