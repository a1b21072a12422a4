#include "arithmetic_loops.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include "mcc/device_plugin/block/analysis/uniformity.h"
#include "mcc/device_plugin/block/analysis/vectorizable.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;
using llvm::Loop;

constexpr unsigned kLeastPerCarried = 32;  // operations for each value that is carried
constexpr unsigned kMostUnrolled = 400;    // operations, where the source does not say how far
constexpr unsigned kMostLoops = 16;        // per kernel

struct Arithmetic {
  unsigned operations = 0;
  unsigned carried = 0;  // values that are not counters

  bool isLong(unsigned times = 1) const { return operations * times >= carried * kLeastPerCarried; }
};

bool isCounter(const llvm::PHINode& phi, const Loop& loop) {
  const auto* sum = llvm::dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  return sum != nullptr && sum->getOpcode() == Instruction::Add && sum->getOperand(0) == &phi &&
         llvm::isa<llvm::ConstantInt>(sum->getOperand(1));
}

std::optional<Arithmetic> arithmeticOf(const Loop& loop) {
  if (!loop.isInnermost() || loop.getLoopLatch() == nullptr || loop.getExitingBlock() != loop.getLoopLatch())
    return std::nullopt;
  Arithmetic found;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      if (instruction.isTerminator() || instruction.isDebugOrPseudoInst()) continue;
      if (!isVectorArithmetic(instruction)) return std::nullopt;
      const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
      const bool isOfHeader = phi != nullptr && block == loop.getHeader();
      if (isOfHeader && isCounter(*phi, loop)) continue;
      ++(isOfHeader ? found.carried : found.operations);
    }
  }
  return found;
}

// How often: as the source says, or as far as is worthwhile, so that no iteration is left; 1: not at all.
unsigned factorOf(const Loop& loop, const Arithmetic& arithmetic, unsigned trips) {
  const std::optional<int> asked = llvm::getOptionalIntLoopAttribute(&loop, "llvm.loop.unroll.count");
  const unsigned most = asked && *asked > 0 ? static_cast<unsigned>(*asked)
                                            : kMostUnrolled / std::max(arithmetic.operations, 1u);
  for (unsigned factor = std::min(most, trips / 2); factor > 1; --factor) {
    if (trips % factor == 0) return factor;
  }
  return 1;
}

struct Analyses {
  llvm::LoopInfo& loops;
  llvm::ScalarEvolution& evolution;
  llvm::DominatorTree& dominators;
  llvm::AssumptionCache& assumptions;
  const llvm::TargetTransformInfo& target;
};

bool unroll(Loop& loop, llvm::Function& function, const Analyses& with) {
  const std::optional<Arithmetic> arithmetic = arithmeticOf(loop);
  if (!arithmetic || arithmetic->carried == 0 || arithmetic->isLong()) return false;
  const unsigned trips = with.evolution.getSmallConstantTripCount(&loop);
  llvm::UnrollLoopOptions options{};
  options.Count = factorOf(loop, *arithmetic, trips);
  options.ForgetAllSCEV = true;
  if (options.Count < 2 || !arithmetic->isLong(options.Count)) return false;
  llvm::simplifyLoop(&loop, &with.dominators, &with.loops, &with.evolution, &with.assumptions, nullptr,
                     /*PreserveLCSSA=*/false);
  llvm::formLCSSA(loop, with.dominators, &with.loops, &with.evolution);
  llvm::OptimizationRemarkEmitter remarks(&function);
  if (llvm::UnrollLoop(&loop, options, &with.loops, &with.evolution, &with.dominators, &with.assumptions,
                       &with.target, &remarks, /*PreserveLCSSA=*/false) == llvm::LoopUnrollResult::Unmodified)
    return false;
  loop.setLoopAlreadyUnrolled();
  return true;
}

}  // namespace

bool isLongArithmetic(const Loop& loop) {
  const std::optional<Arithmetic> arithmetic = arithmeticOf(loop);
  return arithmetic && arithmetic->isLong();
}

void unrollArithmeticLoops(UnitFunction& unit, llvm::FunctionAnalysisManager& analyses) {
  llvm::Function& function = *unit.function;
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  const Uniformity uniformity(function, unit.warpSize);
  const Analyses with{analyses.getResult<llvm::LoopAnalysis>(function),
                      analyses.getResult<llvm::ScalarEvolutionAnalysis>(function),
                      analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                      analyses.getResult<llvm::AssumptionAnalysis>(function),
                      analyses.getResult<llvm::TargetIRAnalysis>(function)};
  unsigned unrolled = 0;
  for (Loop* loop : with.loops.getLoopsInPreorder()) {
    const llvm::BasicBlock* latch = loop->getLoopLatch();
    if (latch == nullptr || loop->getLoopPreheader() == nullptr || !uniformity.hasUniformTerminator(*latch) ||
        !uniformity.isConverged(*loop->getLoopPreheader()))
      continue;
    unrolled += unroll(*loop, function, with);
    if (unrolled == kMostLoops) break;
  }
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

}  // namespace musashim::mcc
