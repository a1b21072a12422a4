#include "row_loops.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/block/lockstep/lockstep.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/passes.h"
#include "thread_loops.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

constexpr llvm::StringRef kRowLoop = "musa.loop.rows";
constexpr llvm::StringRef kKeepLoop = "llvm.loop.unroll.disable";
constexpr unsigned kLargestTripCount = 64;  // LLVM does not unroll longer loops anyway

// The pointer leads to shared memory, or to memory that no private variable is part of.
bool isKnownNotPrivate(const Value& pointer) {
  const Value* object = llvm::getUnderlyingObject(&pointer);
  return isSharedBase(*object) || llvm::isa<llvm::Argument, llvm::LoadInst, llvm::GlobalVariable>(object);
}

bool mayRunTogether(const Instruction& instruction) {
  if (instruction.isAtomic() || instruction.isVolatile() || calledOp(instruction)) return false;
  const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  return pointer != nullptr ? isKnownNotPrivate(*pointer)
                            : !instruction.mayReadOrWriteMemory() && !instruction.mayThrow();
}

// Nothing but induction variables is carried from iteration to iteration. Sums of rows are in registers when
// the loop is unrolled.
bool hasOnlyInductionVariables(const Loop& loop, llvm::ScalarEvolution& evolution) {
  return llvm::all_of(loop.getHeader()->phis(), [&](llvm::PHINode& phi) {
    if (!evolution.isSCEVable(phi.getType())) return false;
    const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi));
    return counter != nullptr && counter->getLoop() == &loop && counter->isAffine();
  });
}

bool givesValuesOut(const Loop& loop) {
  return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [&](const Instruction& instruction) {
      return llvm::any_of(instruction.users(), [&](const llvm::User* user) {
        return !loop.contains(llvm::cast<Instruction>(user)->getParent());
      });
    });
  });
}

bool iteratesOverRows(Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!loop.isInnermost() || loop.getLoopLatch() == nullptr || loop.getExitingBlock() != loop.getLoopLatch())
    return false;
  const unsigned tripCount = evolution.getSmallConstantTripCount(&loop);
  if (tripCount < 2 || tripCount > kLargestTripCount || givesValuesOut(loop) ||
      !hasOnlyInductionVariables(loop, evolution))
    return false;
  bool hasStride = false;
  for (llvm::BasicBlock* block : loop.blocks()) {
    for (Instruction& instruction : *block) {
      if (!mayRunTogether(instruction)) return false;
      Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      hasStride |= pointer != nullptr && hasRowStride(*pointer, loop, evolution);
    }
  }
  return hasStride;
}

bool storesWithRowStride(const Loop& row, const Loop& rows, llvm::ScalarEvolution& evolution) {
  return llvm::any_of(row.blocks(), [&](llvm::BasicBlock* block) {
    return llvm::any_of(*block, [&](Instruction& instruction) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      return store != nullptr && hasRowStride(*store->getPointerOperand(), rows, evolution);
    });
  });
}

void mark(Loop& loop) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  llvm::SmallVector<llvm::MDNode*, 2> properties;
  for (const llvm::StringRef name : {kRowLoop, kKeepLoop})
    properties.push_back(llvm::MDNode::get(context, {llvm::MDString::get(context, name)}));
  loop.setLoopID(
      llvm::makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.unroll."}, properties));
}

bool runsTogether(const Loop& loop) {
  return loop.getLoopLatch()->getTerminator()->hasMetadata(kCutMetadata);
}

void unroll(Loop& loop, llvm::Function& function, llvm::LoopInfo& loops,
            llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  const auto& target = analyses.getResult<llvm::TargetIRAnalysis>(function);
  llvm::OptimizationRemarkEmitter remarks(&function);
  llvm::simplifyLoop(&loop, &dominators, &loops, &evolution, &assumptions, nullptr, /*PreserveLCSSA=*/false);
  llvm::UnrollLoopOptions options{};
  options.Count = evolution.getSmallConstantTripCount(&loop);
  options.ForgetAllSCEV = true;
  if (options.Count < 2) return;
  llvm::UnrollLoop(&loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks,
                   /*PreserveLCSSA=*/false);
}

}  // namespace

bool hasRowStride(Value& pointer, const Loop& loop, llvm::ScalarEvolution& evolution) {
  return llvm::SCEVExprContains(evolution.getSCEV(&pointer), [&](const llvm::SCEV* part) {
    const auto* sum = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
    return sum != nullptr && sum->getLoop() == &loop && sum->isAffine() &&
           !llvm::isa<llvm::SCEVConstant>(sum->getStepRecurrence(evolution));
  });
}

bool isRowLoop(const Loop& loop) { return llvm::findOptionMDForLoop(&loop, kRowLoop) != nullptr; }

void unrollOtherRowLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (isRowLoop(*loop) && !runsTogether(*loop)) unroll(*loop, function, loops, analyses);
  }
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

void registerLoopPasses(llvm::PassBuilder& builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](llvm::LoopPassManager& passes, llvm::OptimizationLevel) { passes.addPass(RowLoops()); });
}

llvm::PreservedAnalyses StoredRowLoops::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (Loop* row : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    Loop* rows = row->getParentLoop();
    if (rows == nullptr || !isOverThreads(*row) || isRowLoop(*rows)) continue;
    const Loop* around = rows->getParentLoop();
    if ((around != nullptr && isRowLoop(*around)) || storesWithRowStride(*row, *rows, evolution)) mark(*rows);
  }
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses RowLoops::run(Loop& loop, llvm::LoopAnalysisManager&,
                                      llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater&) {
  const llvm::Function& function = *loop.getHeader()->getParent();
  if (function.hasFnAttribute(kKernelAttribute) && !isRowLoop(loop) && iteratesOverRows(loop, analyses.SE))
    mark(loop);
  return llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
