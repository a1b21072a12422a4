#include "block_steps.h"

#include "barrier_free_paths.h"
#include "block_hazards.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/block/analysis/uniformity.h"
#include "mcc/device_plugin/checks/check_calls.h"
#include "mcc/device_plugin/checks/check_inline.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/kernel_entry/reachability.h"
#include "mcc/device_plugin/semantics/pristine_kernels.h"
#include "mcc/device_plugin/semantics/spin_loops.h"
#include "mcc/device_plugin/semantics/warp_synchronous.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::Instruction;

void warn(llvm::ArrayRef<BlockHazard> hazards, Function& kernel) {
  llvm::SmallVector<Instruction*, 8> writes;
  for (const BlockHazard& hazard : hazards) writes.push_back(hazard.write);
  warnOfHazards(
      writes, kernel,
      "warps of a block count here on having read in step with each other: __syncthreads() is missing "
      "before this write of what other warps read");
}

// Who has what the others try for there, and has not met the block, must not wait for them.
bool wouldHold(const Instruction& point, const llvm::LoopInfo& loops) {
  const llvm::Loop* loop = loops.getLoopFor(point.getParent());
  return loop != nullptr && triesAgain(*loop) && llvm::none_of(loop->blocks(), [](const BasicBlock* block) {
           return llvm::any_of(*block, ordersBlock);
         });
}

void insertSteps(llvm::ArrayRef<Instruction*> points, Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  llvm::IRBuilder<> builder(function.getContext());
  auto step = function.getParent()->getOrInsertFunction(kStepName, builder.getVoidTy());
  auto* callee = llvm::cast<Function>(step.getCallee());
  callee->setConvergent();
  callee->setDoesNotThrow();
  for (Instruction* point : points) {
    if (wouldHold(*point, loops)) continue;
    builder.SetInsertPoint(point);
    builder.CreateCall(step);
  }
}

class StepPlacer {
 public:
  explicit StepPlacer(Function& kernel) : dominators_(kernel), uniformity_(kernel, 0), paths_(placed_) {}

  // Before some instructions between the reads and the writes.
  llvm::SmallVector<Instruction*, 8> place(llvm::ArrayRef<BlockHazard> hazards) {
    for (const BlockHazard& hazard : hazards) {
      for (const bool together : {true, false}) {
        const llvm::SmallVector<Instruction*, 4> open = stillOpen(hazard);
        if (open.empty()) break;
        Instruction* point = together ? pointTogether(*hazard.write, open) : pointApart(*hazard.write, open);
        if (point != nullptr && placed_.insert(point).second) points_.push_back(point);
      }
    }
    return points_;
  }

 private:
  // Reads that no step separates from the write.
  llvm::SmallVector<Instruction*, 4> stillOpen(const BlockHazard& hazard) const {
    llvm::SmallVector<Instruction*, 4> open;
    llvm::copy_if(hazard.reads, std::back_inserter(open),
                  [&](Instruction* read) { return paths_.lead(*read, *hazard.write); });
    return open;
  }
  bool anyLeads(llvm::ArrayRef<Instruction*> reads, const Instruction& to) const {
    return llvm::any_of(reads, [&](Instruction* read) { return paths_.lead(*read, to); });
  }

  // Where the block's threads come together: right behind the reads, if they stand together, as little is
  // alive there that was not behind the barrier; or else as close to the write as possible.
  Instruction* pointTogether(Instruction& write, llvm::ArrayRef<Instruction*> reads) {
    if (Instruction* point = pointBehind(write, reads)) return point;
    Instruction* point = &write;
    for (const auto* node = dominators_.getNode(write.getParent()); node != nullptr; node = node->getIDom()) {
      BasicBlock* block = node->getBlock();
      if (block != write.getParent()) point = block->getTerminator();
      if (!anyLeads(reads, *point)) return nullptr;
      if (uniformity_.isConverged(*block)) return point;
    }
    return nullptr;
  }

  Instruction* pointBehind(Instruction& write, llvm::ArrayRef<Instruction*> reads) {
    BasicBlock* block = reads.front()->getParent();
    Instruction* last = reads.front();
    for (Instruction* read : reads) {
      if (read->getParent() != block) return nullptr;
      if (last->comesBefore(read)) last = read;
    }
    Instruction* next = last->getNextNonDebugInstruction();
    const bool leads = block == write.getParent() ? last->comesBefore(&write)
                                                  : dominators_.dominates(block, write.getParent());
    return leads && uniformity_.isConverged(*block) ? next : nullptr;
  }

  // At the write, but not in a branch that some lanes take: those who don't wait for them behind it anyway.
  Instruction* pointApart(Instruction& write, llvm::ArrayRef<Instruction*> reads) {
    Instruction* point = &write;
    for (const auto* node = dominators_.getNode(write.getParent()); node->getIDom() != nullptr;) {
      node = node->getIDom();
      Instruction* branch = node->getBlock()->getTerminator();
      const bool isBranch = llvm::isa<llvm::BranchInst>(branch) && branch->getNumSuccessors() == 2 &&
                            !uniformity_.hasUniformTerminator(*node->getBlock());
      if (!isBranch || !llvm::all_of(reads, [&](Instruction* read) { return paths_.lead(*read, *branch); }))
        break;
      point = branch;
    }
    return point;
  }

  const llvm::DominatorTree dominators_;
  const Uniformity uniformity_;
  StepPoints placed_;
  const BarrierFreePaths paths_;
  llvm::SmallVector<Instruction*, 8> points_;
};

void insertAt(llvm::ArrayRef<BlockHazard> hazards, Function& kernel) {
  if (!hazards.empty()) insertSteps(StepPlacer(kernel).place(hazards), kernel);
}

// Accesses memory that other threads may see; calls may do so, but not those that only check.
bool mayBeShared(const Instruction& instruction) {
  if (isCheck(instruction)) return false;
  const llvm::Value* pointer = uncheckedPointer(llvm::getLoadStorePointerOperand(&instruction));
  return pointer == nullptr ? instruction.mayReadOrWriteMemory()
                            : !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}

constexpr llvm::StringRef kDoneAttribute = "musa-steps";  // several kernels may call a function

void stepAtWrites(Function& function) {
  if (function.hasFnAttribute(kDoneAttribute)) return;
  function.addFnAttr(kDoneAttribute);
  llvm::SmallVector<Instruction*, 16> points;
  for (BasicBlock& block : function) {
    bool read = true;  // since the block's threads have met
    for (Instruction& instruction : block) {
      if (ordersBlock(instruction)) {
        read = false;
      } else if (mayBeShared(instruction)) {
        const bool writes = llvm::isa<llvm::StoreInst, llvm::MemIntrinsic>(instruction);
        if (read && writes) points.push_back(&instruction);
        read = !writes && (read || instruction.mayReadFromMemory());
      }
    }
  }
  insertSteps(points, function);
}

}  // namespace

void stepAtBlockHazards(Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  const std::vector<BlockHazard> hazards = blockHazards(kernel, kernel.getName());
  if (hazards.empty()) return;
  warn(hazards, kernel);
  insertAt(hazards, kernel);
  if (Function* pristine = pristineOf(kernel)) {
    clarify(*pristine, analyses);
    insertAt(blockHazards(*pristine, kernel.getName()), *pristine);
  }
}

bool countsOnBlock(Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  if (!usesSharedMemory(kernel)) return false;
  llvm::ValueToValueMapTy map;
  Function* copy = llvm::CloneFunction(&kernel, map);
  inlineCalls(*copy);
  clarify(*copy, analyses);
  std::vector<BlockHazard> hazards = blockHazards(*copy, kernel.getName());
  if (hazards.empty()) {
    llvm::PassBuilder()
        .buildFunctionSimplificationPipeline(llvm::OptimizationLevel::O1, llvm::ThinOrFullLTOPhase::None)
        .run(*copy, analyses);
    hazards = blockHazards(*copy, kernel.getName());
  }
  warn(hazards, *copy);
  analyses.clear(*copy, copy->getName());
  copy->eraseFromParent();
  return !hazards.empty();
}

void stepUnoptimized(Function& kernel) {
  for (Function* function : reachableFrom(kernel)) {
    if (!function->isDeclaration() && !isCheckBody(*function)) stepAtWrites(*function);
  }
}

}  // namespace musashim::mcc
