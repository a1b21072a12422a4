// Inlines functions with convergent operations (barriers, warp operations, warp-synchronous steps) into their
// kernels, so that the kernel's own code shows where threads wait; and those in which threads end.
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/device_builtins.h"
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

// Loads and stores volatile memory: it may be warp-synchronous code (warp_synchronous.h). Whether the memory
// is shared shows only in the kernel.
bool isWarpSynchronous(Function& function) {
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

// Functions with convergent operations, their own or of what they call.
Functions convergentFunctions(llvm::Module& module) {
  Functions convergent;
  for (bool changed = true; changed;) {
    changed = false;
    for (Function& function : module) {
      if (function.isDeclaration() || convergent.contains(&function)) continue;
      const bool isConvergent =
          isWarpSynchronous(function) || llvm::any_of(callees(function), [&](Function* callee) {
            return unitOp(callee->getName()).has_value() || callee->getName() == kExitThreadName ||
                   convergent.contains(callee);
          });
      if (!isConvergent) continue;
      convergent.insert(&function);
      changed = true;
    }
  }
  return convergent;
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
  for (Function* function : convergentFunctions(module)) {
    if (function->hasFnAttribute(kKernelAttribute) || function->hasFnAttribute(llvm::Attribute::OptimizeNone))
      continue;
    if (callsItself(*function)) continue;
    function->removeFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
