// The interleave count of loops over short rows of threads: all vectors of the row, or a divisor, so that
// there is no remainder loop. (A scan's rows of 240 threads behind a vector that lacks some: 1.2 times as
// fast.) And of loops over threads that are one long chain of operations, each of which waits for the one
// before.
#include <algorithm>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "mcc/device_plugin/block/analysis/vectorizable.h"
#include "mcc/device_plugin/passes.h"
#include "thread_loops.h"

namespace musashim::mcc {
namespace {

constexpr uint64_t kMostVectors = 4;  // more would spill
constexpr uint64_t kFewVectors = 64;  // where the remainder loop counts
constexpr unsigned kLongChain =
    32;  // operations: a processor does not look as far ahead as to the next vector

// The narrowest and widest access of the loop, in bytes; 0: there is none.
struct Widths {
  uint64_t narrowest = 0, widest = 0;
};

bool isAccess(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction);
}

Widths accessesOf(const llvm::Loop& loop) {
  Widths widths;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      if (!isAccess(instruction)) continue;
      llvm::Type* type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&instruction));
      const uint64_t bytes = block->getDataLayout().getTypeStoreSize(type).getKnownMinValue();
      widths.narrowest = widths.narrowest == 0 ? bytes : std::min(widths.narrowest, bytes);
      widths.widest = std::max(widths.widest, bytes);
    }
  }
  return widths;
}

// The vectors that fill the row if they are few, else 0. The vectoriser makes vectors of the widest type,
// which are no longer than those counted here. So the vector loop always runs.
unsigned allVectors(uint64_t threads, const Widths& widths, uint64_t vectorBytes) {
  const uint64_t bytes = threads * widths.narrowest;
  const uint64_t vectors = bytes / vectorBytes;
  return bytes % vectorBytes != 0 || vectors < 2 || vectors > kMostVectors ? 0
                                                                           : static_cast<unsigned>(vectors);
}

// An interleave count without a remainder; 0: what the vectoriser chooses.
unsigned evenVectors(uint64_t threads, const Widths& widths, uint64_t vectorBytes) {
  const uint64_t bytes = threads * widths.widest;
  const uint64_t vectors = bytes / vectorBytes;
  if (bytes % vectorBytes != 0 || vectors % kMostVectors == 0 || vectors > kFewVectors) return 0;
  return vectors % 2 == 0 ? 2 : 1;
}

// Most operations of a thread depend on each other.
bool isLongChain(const llvm::Loop& loop) {
  if (loop.getNumBlocks() != 1) return false;
  llvm::DenseMap<const llvm::Value*, unsigned> depths;
  unsigned operations = 0, longest = 0;
  for (const llvm::Instruction& instruction : *loop.getHeader()) {
    if (llvm::isa<llvm::PHINode>(instruction) || !isVectorArithmetic(instruction)) continue;
    unsigned depth = 0;
    for (const llvm::Value* operand : instruction.operands()) depth = std::max(depth, depths.lookup(operand));
    depths[&instruction] = depth + 1;
    longest = std::max(longest, depth + 1);
    ++operations;
  }
  return longest >= kLongChain && longest * 2 > operations;
}

// Some accesses are conditional. Where such loops are not vectorised, interleaving would only unroll them,
// and compile times double with each value that is used twice behind a condition.
bool hasConditionalAccess(const llvm::Loop& loop, const llvm::DominatorTree& dominators) {
  return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
    return !dominators.dominates(block, loop.getLoopLatch()) && llvm::any_of(*block, isAccess);
  });
}

void interleave(llvm::Loop& loop, unsigned vectors) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  loop.setLoopID(llvm::makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.interleave."},
                                                      {interleaveCountProperty(context, vectors)}));
}

}  // namespace

llvm::PreservedAnalyses InterleaveCount::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  const uint64_t vectorBytes = vectorBits(analyses.getResult<llvm::TargetIRAnalysis>(function)) / 8;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !isOverThreads(*loop)) continue;
    if (llvm::getBooleanLoopAttribute(loop, "llvm.loop.unroll.disable")) continue;  // of long code
    const unsigned threads = evolution.getSmallConstantTripCount(loop);
    const Widths widths = accessesOf(*loop);
    if (threads == 0 || widths.widest == 0 || hasConditionalAccess(*loop, dominators)) continue;
    unsigned vectors = allVectors(threads, widths, vectorBytes);
    if (vectors == 0) vectors = evenVectors(threads, widths, vectorBytes);
    const bool isLong = threads * widths.widest >= 2 * kMostVectors * vectorBytes;
    if (vectors == 0 && isLong && isLongChain(*loop)) vectors = kMostVectors;
    if (vectors != 0) interleave(*loop, vectors);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
