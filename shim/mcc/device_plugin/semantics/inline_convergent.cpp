#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

using llvm::Function;
using Functions = llvm::SmallPtrSet<Function*, 16>;

llvm::SmallVector<Function*, 8> callees(Function& function) {
  llvm::SmallVector<Function*, 8> result;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call != nullptr && call->getCalledFunction() != nullptr) result.push_back(call->getCalledFunction());
  }
  return result;
}

// Reads and writes volatile memory: a warp may go step by step in it (volatile_steps.h), which shows in the
// kernel only, where it is known to be shared.
bool mayStep(Function& function) {
  bool loads = false, stores = false;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!instruction.isVolatile()) continue;
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (pointer == nullptr || llvm::isa<llvm::AllocaInst>(pointer->stripPointerCasts())) continue;
    loads |= llvm::isa<llvm::LoadInst>(instruction);
    stores |= llvm::isa<llvm::StoreInst>(instruction);
  }
  return loads && stores;
}

// Functions in which threads wait for each other, directly or in what they call.
Functions waitingFunctions(llvm::Module& module) {
  Functions waiting;
  for (bool changed = true; changed;) {
    changed = false;
    for (Function& function : module) {
      if (function.isDeclaration() || waiting.contains(&function)) continue;
      const bool waits = mayStep(function) || llvm::any_of(callees(function), [&](Function* callee) {
                           return unitOp(callee->getName()).has_value() || waiting.contains(callee);
                         });
      if (!waits) continue;
      waiting.insert(&function);
      changed = true;
    }
  }
  return waiting;
}

bool callsItself(Function& function) {
  Functions reached;
  llvm::SmallVector<Function*, 8> work = callees(function);
  while (!work.empty()) {
    Function* next = work.pop_back_val();
    if (next == &function) return true;
    if (next->isDeclaration() || !reached.insert(next).second) continue;
    work.append(callees(*next));
  }
  return false;
}

}  // namespace

llvm::PreservedAnalyses InlineConvergent::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (Function* function : waitingFunctions(module)) {
    if (function->hasFnAttribute(kKernelAttribute) || function->hasFnAttribute(llvm::Attribute::OptimizeNone))
      continue;
    if (callsItself(*function)) continue;
    function->removeFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
