#include "warp_synchronous.h"

#include <optional>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/checks/check_inline.h"
#include "mcc/device_plugin/device_builtins.h"
#include "pristine_kernels.h"
#include "warp_hazards.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;

bool dependsOnThread(const llvm::Value& value, unsigned depth = 0) {
  constexpr unsigned kFarthest = 12;
  if (calledThreadIdx(value) != nullptr) return true;
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (instruction == nullptr || depth == kFarthest || llvm::isa<llvm::PHINode>(instruction)) return false;
  return llvm::any_of(instruction->operands(),
                      [&](const llvm::Use& use) { return dependsOnThread(*use.get(), depth + 1); });
}

const llvm::Value* placeOf(const Instruction& instruction) {
  return uncheckedPointer(llvm::getLoadStorePointerOperand(&instruction));
}

// The step that a volatile access to the thread's own element of shared memory is.
enum class Step { kLoad, kStore };
std::optional<Step> stepOf(const Instruction& instruction) {
  if (!instruction.isVolatile()) return std::nullopt;
  const llvm::Value* pointer = placeOf(instruction);
  if (pointer == nullptr || !dependsOnThread(*pointer)) return std::nullopt;
  if (!isSharedBase(*llvm::getUnderlyingObject(pointer, 0))) return std::nullopt;
  return llvm::isa<llvm::LoadInst>(instruction) ? Step::kLoad : Step::kStore;
}

using Places = llvm::SmallPtrSet<const llvm::Value*, 8>;

// No synchronization is needed for the thread's own element.
bool holdsOther(const Places& places, const llvm::Value* own) {
  return llvm::any_of(places, [own](const llvm::Value* place) { return place != own; });
}

// May threads load what others have stored in `block`, before they are synchronized anyway?
bool loadsAfter(const llvm::BasicBlock& block, const Places& stored) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<const llvm::BasicBlock*, 16> work(llvm::successors(&block));
  while (!work.empty()) {
    const llvm::BasicBlock* next = work.pop_back_val();
    if (!seen.insert(next).second) continue;
    bool converges = false;
    for (const Instruction& instruction : *next) {
      converges = calledOp(instruction).has_value();
      if (converges) break;
      const bool loads = stepOf(instruction) == Step::kLoad;
      if (loads && holdsOther(stored, placeOf(instruction))) return true;
    }
    if (!converges) work.append(llvm::succ_begin(next), llvm::succ_end(next));
  }
  return false;
}

// The instructions of `block` before which threads are to converge. True if the block has warp-synchronous
// steps itself. Without such, the program relies on its barriers.
bool findConvergencePoints(llvm::BasicBlock& block, llvm::SmallVectorImpl<Instruction*>& points) {
  bool steps = false;
  Places loaded, stored;
  for (Instruction& instruction : block) {
    const std::optional<Step> step = stepOf(instruction);
    const llvm::Value* place = step ? placeOf(instruction) : nullptr;
    const bool converge = step && holdsOther(step == Step::kLoad ? stored : loaded, place);
    if (converge) points.push_back(&instruction);
    steps |= converge;
    if (converge || calledOp(instruction)) loaded.clear(), stored.clear();
    if (step) (step == Step::kLoad ? loaded : stored).insert(place);
  }
  if (!stored.empty() && loadsAfter(block, stored)) points.push_back(block.getTerminator());
  return steps;
}

}  // namespace

bool isWarpSynchronous(llvm::Function& kernel) {
  llvm::SmallVector<Instruction*, 16> points;
  for (llvm::BasicBlock& block : kernel) {
    if (findConvergencePoints(block, points)) return true;
  }
  return !warpHazards(kernel).empty();
}

void convergeBefore(llvm::ArrayRef<Instruction*> points, llvm::Function& kernel) {
  if (points.empty()) return;
  llvm::Module& module = *kernel.getParent();
  llvm::IRBuilder<> builder(kernel.getContext());
  const auto here = module.getOrInsertFunction("__musa_activemask", builder.getInt32Ty());
  const auto converge =
      module.getOrInsertFunction("__musa_syncwarp", builder.getVoidTy(), builder.getInt32Ty());
  for (Instruction* point : points) {
    builder.SetInsertPoint(point);
    builder.CreateCall(converge, builder.CreateCall(here));
  }
}

void convergeAtVolatileSteps(llvm::Function& kernel) {
  llvm::SmallVector<Instruction*, 16> points;
  bool steps = false;
  for (llvm::BasicBlock& block : kernel) steps |= findConvergencePoints(block, points);
  if (steps) convergeBefore(points, kernel);
}

void convergeAtWarpHazards(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  llvm::Function* pristine = pristineOf(kernel);
  if (pristine != nullptr) clarify(*pristine, analyses);
  // Optimised code shows what loops do, the other what LLVM has taken apart.
  const llvm::SmallVector<Instruction*, 16> points = warpHazards(kernel);
  if (pristine == nullptr) return convergeBefore(points, kernel);
  if (points.empty() && warpHazards(*pristine).empty()) return;
  beginAnew(kernel, analyses, [](llvm::Function& copy) {
    convergeAtVolatileSteps(copy);
    convergeBefore(warpHazards(copy, /*counts=*/true), copy);
  });
}

}  // namespace musashim::mcc
