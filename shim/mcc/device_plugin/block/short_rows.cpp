// How many vectors a loop over the threads of a short row takes at a time.
#include <algorithm>

#include "../passes.h"
#include "lane_loops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "vector_arithmetic.h"

namespace musashim::mcc {
namespace {

constexpr uint64_t kMostVectors = 4;  // more would not stay in registers

// Of what the loop reads and writes for each thread; 0: of nothing.
uint64_t narrowestAccess(const llvm::Loop& loop) {
  uint64_t narrowest = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) continue;
      llvm::Type* type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&instruction));
      const uint64_t bytes = block->getDataLayout().getTypeStoreSize(type).getKnownMinValue();
      narrowest = narrowest == 0 ? bytes : std::min(narrowest, bytes);
    }
  }
  return narrowest;
}

// Vectors that the row fills if that is few; else 0. The vectoriser makes vectors of the widest type, which
// are no longer than those counted here: so the loop always runs.
unsigned vectorsOf(const llvm::Loop& loop, unsigned threads, uint64_t vectorBytes) {
  const uint64_t bytes = threads * narrowestAccess(loop);
  const uint64_t vectors = bytes / vectorBytes;
  return bytes % vectorBytes != 0 || vectors < 2 || vectors > kMostVectors ? 0
                                                                           : static_cast<unsigned>(vectors);
}

void interleave(llvm::Loop& loop, unsigned vectors) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), vectors);
  llvm::Metadata* count[] = {llvm::MDString::get(context, "llvm.loop.interleave.count"),
                             llvm::ConstantAsMetadata::get(number)};
  loop.setLoopID(llvm::makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.interleave."},
                                                      {llvm::MDNode::get(context, count)}));
}

}  // namespace

llvm::PreservedAnalyses ShortRows::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const uint64_t vectorBytes = vectorBits(analyses.getResult<llvm::TargetIRAnalysis>(function)) / 8;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !isOverThreads(*loop)) continue;
    const unsigned threads = evolution.getSmallConstantTripCount(loop);
    if (const unsigned vectors = vectorsOf(*loop, threads, vectorBytes); vectors != 0)
      interleave(*loop, vectors);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
