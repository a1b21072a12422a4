#include "warp_synchronous.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/checks/check_inline.h"
#include "mcc/device_plugin/device_builtins.h"
#include "pristine_kernels.h"
#include "spin_loops.h"
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
      converges = isMeeting(instruction);
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
    if (converge || isMeeting(instruction)) loaded.clear(), stored.clear();
    if (step) (step == Step::kLoad ? loaded : stored).insert(place);
  }
  if (!stored.empty() && loadsAfter(block, stored)) points.push_back(block.getTerminator());
  return steps;
}

// Certain is that lanes load what others have stored: who only stores what others have loaded may well have
// seen to it that those are not lanes that still load.
WarpHazards volatileSteps(llvm::Function& kernel) {
  WarpHazards steps;
  bool found = false;
  for (llvm::BasicBlock& block : kernel) found |= findConvergencePoints(block, steps.points);
  if (!found) return {};
  const auto loads = [](const Instruction* point) {
    return point->isTerminator() || stepOf(*point) == Step::kLoad;
  };
  if (llvm::any_of(steps.points, loads)) steps.certain = steps.points;
  return steps;
}

llvm::cl::opt<bool> warnWarpSynchronous("musa-warn-warp-synchronous",
                                        llvm::cl::desc("Warn where MUSA code lacks a __syncwarp()"),
                                        llvm::cl::Hidden);

void warn(llvm::ArrayRef<Instruction*> points, llvm::Function& kernel) {
  warnOfHazards(
      points, kernel,
      "lanes of a warp exchange data here as if they moved together: __syncwarp() is missing before "
      "this access");
}

}  // namespace

void warnOfHazards(llvm::ArrayRef<Instruction*> points, llvm::Function& kernel, const char* text) {
  if (!warnWarpSynchronous) return;
  std::set<std::pair<std::string, unsigned>> told;
  for (const Instruction* point : points) {
    const llvm::DiagnosticLocation place(point->getDebugLoc());
    if (place.isValid() && !told.emplace(place.getRelativePath().str(), place.getLine()).second) continue;
    kernel.getContext().diagnose(llvm::DiagnosticInfoUnsupported(kernel, text, place, llvm::DS_Warning));
  }
}

WarpHazards warnOfWarpSynchronousCode(llvm::Function& kernel, llvm::StringRef name) {
  WarpHazards steps = volatileSteps(kernel);
  const WarpHazards hazards = warpHazards(kernel, name);
  steps.points.append(hazards.points);
  steps.certain.append(hazards.certain);
  warn(steps.certain, kernel);
  return steps;
}

bool countsOnWarps(const WarpHazards& hazards, bool waits) {
  return waits ? !hazards.certain.empty() : !hazards.points.empty();
}

void convergeBefore(llvm::ArrayRef<Instruction*> points, llvm::Function& kernel) {
  if (points.empty()) return;
  llvm::Module& module = *kernel.getParent();
  llvm::IRBuilder<> builder(kernel.getContext());
  auto converge = module.getOrInsertFunction("__musa_converge", builder.getVoidTy(), builder.getInt32Ty());
  auto* function = llvm::cast<llvm::Function>(converge.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  for (Instruction* point : points) {
    builder.SetInsertPoint(point);
    builder.CreateCall(converge, {builder.getInt32(0)});  // its rank comes later (convergence_order.h)
  }
}

void convergeAtVolatileSteps(llvm::Function& kernel) {
  const WarpHazards steps = volatileSteps(kernel);
  warn(steps.certain, kernel);
  convergeBefore(steps.points, kernel);
}

void convergeAtWarpHazards(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  // Optimised code shows what loops do, the other what LLVM has taken apart.
  WarpHazards hazards = warpHazards(kernel, kernel.getName());
  const bool waits = waitsForLanes(kernel);
  llvm::Function* pristine = pristineOf(kernel);
  if (pristine == nullptr) {
    if (!countsOnWarps(hazards, waits)) return;
    warn(hazards.certain, kernel);
    return convergeBefore(hazards.points, kernel);
  }
  clarify(*pristine, analyses);
  if (!countsOnWarps(hazards, waits) && !countsOnWarps(warpHazards(*pristine, kernel.getName()), waits))
    return;
  beginAnew(kernel, analyses, [&](llvm::Function& copy) {
    const WarpHazards steps = volatileSteps(copy);
    convergeBefore(steps.points, copy);
    const WarpHazards own = warpHazards(copy, kernel.getName(), /*counts=*/true);
    hazards.certain.append(steps.certain);
    hazards.certain.append(own.certain);
    warn(hazards.certain, copy);
    convergeBefore(own.points, copy);
  });
}

}  // namespace musashim::mcc
