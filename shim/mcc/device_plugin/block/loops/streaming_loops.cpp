// Keeps streaming loops rolled: loops over rows of threads that do little but read and write device memory.
//
// Unrolled, each vector's load is an instruction of its own, and hardware prefetchers are trained by
// instruction. Nor do so many rows fit into a processor's load and store queues. (On Sapphire Rapids from
// memory, blocks of 256 threads: a sum of two arrays 1.1 times as fast, in C++ 1.3 times. On Zen 4 no
// difference.)
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "mcc/device_plugin/block/analysis/vectorizable.h"
#include "mcc/device_plugin/block/memory_access/coalesced_address.h"
#include "mcc/device_plugin/passes.h"
#include "thread_loops.h"

namespace musashim::mcc {
namespace {

constexpr unsigned kVectors = 2;            // the interleave count
constexpr unsigned kMostInstructions = 32;  // of the loop: with more it is not memory-bound
constexpr uint64_t kFewVectors = 8;         // shorter rows are done in one iteration

// The bytes of the widest access; 0: this is no streaming loop.
uint64_t streamedBytes(const llvm::Loop& loop) {
  uint64_t bytes = 0;
  unsigned instructions = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    instructions += static_cast<unsigned>(block->size());
    for (const llvm::Instruction& instruction : *block) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (pointer == nullptr) {
        if (instruction.mayReadOrWriteMemory()) return 0;
        continue;
      }
      if (isBlockLocal(instruction, *pointer)) return 0;
      llvm::Type* type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&instruction));
      bytes = std::max<uint64_t>(bytes, block->getDataLayout().getTypeStoreSize(type).getKnownMinValue());
    }
  }
  return instructions <= kMostInstructions ? bytes : 0;
}

void keep(llvm::Loop& loop) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  llvm::MDNode* properties[] = {
      llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.unroll.disable")}),
      interleaveCountProperty(context, kVectors)};
  loop.setLoopID(llvm::makePostTransformationMetadata(
      context, loop.getLoopID(), {"llvm.loop.unroll.", "llvm.loop.interleave."}, properties));
}

}  // namespace

llvm::PreservedAnalyses StreamingLoops::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const uint64_t vectorBytes = vectorBits(analyses.getResult<llvm::TargetIRAnalysis>(function)) / 8;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !isOverThreads(*loop)) continue;
    const uint64_t row = evolution.getSmallConstantTripCount(loop) * streamedBytes(*loop);
    if (row % (kVectors * vectorBytes) == 0 && row >= kFewVectors * vectorBytes) keep(*loop);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
