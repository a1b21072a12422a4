#include "unoptimized_hazards.h"

#include <iterator>

#include "convergence_order.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/checks/check_calls.h"
#include "mcc/device_plugin/checks/check_inline.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/kernel_entry/reachability.h"
#include "pristine_kernels.h"
#include "spin_loops.h"
#include "warp_synchronous.h"

namespace musashim::mcc {
namespace {

using llvm::Function;
using llvm::Instruction;

constexpr llvm::StringRef kDoneAttribute = "musa-converges";  // several kernels may call a function

// Reads or writes what other threads see, or may do so. Calls that only check do not.
bool isShared(const Instruction& instruction) {
  if (isCheck(instruction)) return false;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const bool copies = llvm::isa<llvm::MemIntrinsic>(call);
    return copies ||
           (call->mayReadOrWriteMemory() && !llvm::isa<llvm::IntrinsicInst>(call) && !calledOp(instruction));
  }
  if (!instruction.mayReadOrWriteMemory()) return false;
  const llvm::Value* pointer = uncheckedPointer(llvm::getLoadStorePointerOperand(&instruction));
  return pointer == nullptr || !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}

// Before each access that could meet that of another lane, but where lanes only poll.
void convergeAtAccesses(Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  llvm::SmallVector<Instruction*, 16> points;
  for (llvm::BasicBlock& block : function) {
    const llvm::Loop* loop = loops.getLoopFor(&block);
    if (loop != nullptr && onlyWaits(*loop)) continue;
    bool read = true, written = true;  // by lanes that are ahead, since the warp has converged
    for (Instruction& instruction : block) {
      // Where warps wait for each other, those come first whose lanes are behind.
      if (calledName(instruction) == kStepName) points.push_back(&instruction);
      if (isMeeting(instruction)) read = written = false;
      if (!isShared(instruction)) continue;
      const bool writes = instruction.mayWriteToMemory();
      if (written || (writes && read)) {
        points.push_back(&instruction);
        read = written = false;
      }
      (writes ? written : read) = true;
    }
  }
  convergeBefore(points, function);
}

// Functions with convergence points, their own or of what they call.
llvm::SmallPtrSet<const Function*, 8> convergingOf(llvm::ArrayRef<Function*> functions) {
  llvm::SmallPtrSet<const Function*, 8> converging;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function* function : functions) {
      const bool converges = llvm::any_of(llvm::instructions(*function), [&](const Instruction& instruction) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        return call != nullptr &&
               (isConvergencePoint(instruction) || converging.contains(call->getCalledFunction()));
      });
      changed |= converges && converging.insert(function).second;
    }
  }
  return converging;
}

}  // namespace

bool countsOnWarps(Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  const bool waits = llvm::any_of(reachableFrom(kernel), [](Function* function) {
    return !function->isDeclaration() && waitsForLanes(*function);
  });
  llvm::ValueToValueMapTy map;
  Function* copy = llvm::CloneFunction(&kernel, map);
  inlineCalls(*copy);
  clarify(*copy, analyses);
  bool counts = countsOnWarps(warnOfWarpSynchronousCode(*copy, kernel.getName()), waits);
  if (!counts) {
    llvm::PassBuilder()
        .buildFunctionSimplificationPipeline(llvm::OptimizationLevel::O1, llvm::ThinOrFullLTOPhase::None)
        .run(*copy, analyses);
    counts = countsOnWarps(warnOfWarpSynchronousCode(*copy, kernel.getName()), waits);
  }
  analyses.clear(*copy, copy->getName());
  copy->eraseFromParent();
  return counts;
}

void convergeUnoptimized(Function& kernel, ConvergeAt where) {
  llvm::SmallVector<Function*, 8> functions, isNew;
  llvm::copy_if(reachableFrom(kernel), std::back_inserter(functions), [](const Function* function) {
    return !function->isDeclaration() && !isCheckBody(*function);
  });
  llvm::copy_if(functions, std::back_inserter(isNew),
                [](const Function* function) { return !function->hasFnAttribute(kDoneAttribute); });
  for (Function* function : isNew) {
    if (where == ConvergeAt::kAccesses) convergeAtAccesses(*function);
    convergeAtActiveMasks(*function);
  }
  const auto converging = convergingOf(functions);
  for (Function* function : isNew) {
    function->addFnAttr(kDoneAttribute);
    orderConvergencePoints(*function, [&](const llvm::CallBase& call) {
      return call.isIndirectCall() || converging.contains(call.getCalledFunction());
    });
  }
}

}  // namespace musashim::mcc
