#include "pristine_kernels.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "mcc/device_plugin/checks/check_calls.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/kernel_entry/reachability.h"
#include "mcc/device_plugin/passes.h"
#include "spin_loops.h"
#include "waiting_reads.h"

namespace musashim::mcc {
namespace {

using llvm::Function;
using llvm::Instruction;

constexpr llvm::StringRef kPristineAttribute = "musa-pristine";
constexpr llvm::StringRef kSuffix = ".musa_pristine";
constexpr unsigned kMostCalls = 100;           // that are inlined
constexpr unsigned kMostInstructions = 20000;  // of the result

void keep(Function& kernel) {
  llvm::ValueToValueMapTy map;
  Function* copy = llvm::CloneFunction(&kernel, map);
  copy->setName(kernel.getName() + kSuffix);
  copy->setLinkage(llvm::GlobalValue::InternalLinkage);
  copy->setComdat(nullptr);
  copy->removeFnAttr(kKernelAttribute);
  inlineCalls(*copy);
  // Nothing is done with it meanwhile.
  copy->addFnAttr(kPristineAttribute);
  copy->addFnAttr(llvm::Attribute::OptimizeNone);
  copy->addFnAttr(llvm::Attribute::NoInline);
  llvm::appendToCompilerUsed(*kernel.getParent(), {copy});
}

// InstCombine makes one load, of an address that a phi chooses, of loads that only a phi uses. Nobody would
// see then which memory is loaded. So such a load has another user meanwhile, which is returned.
Function* holdLoads(Function& function) {
  llvm::IRBuilder<> builder(function.getContext());
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), /*isVarArg=*/true);
  Function* hold =
      Function::Create(type, llvm::GlobalValue::ExternalLinkage, "__musa_hold", function.getParent());
  hold->setDoesNotAccessMemory();
  hold->setDoesNotThrow();
  for (Instruction& instruction : llvm::instructions(function)) {
    if (!llvm::isa<llvm::LoadInst>(instruction) || !instruction.hasOneUser()) continue;
    if (!llvm::isa<llvm::PHINode>(*instruction.user_begin())) continue;
    builder.SetInsertPoint(instruction.getNextNode());
    builder.CreateCall(hold, {&instruction});
  }
  return hold;
}

// Loops of a checked kernel yield since before it had its checks, whose own loops over shadow memory read it as
// those that poll do.
void yieldInOwnLoops(Function& function) {
  if (!function.hasFnAttribute(kCheckedAttribute)) yieldInSpinLoops(function);
}

void release(Function& hold) {
  for (llvm::User* call : llvm::make_early_inc_range(hold.users()))
    llvm::cast<Instruction>(call)->eraseFromParent();
  hold.eraseFromParent();
}

}  // namespace

bool usesSharedMemory(Function& kernel) {
  return llvm::any_of(reachableFrom(kernel), [](Function* function) {
    return llvm::any_of(llvm::instructions(*function),
                        [](const Instruction& instruction) { return isSharedBase(instruction); });
  });
}

void inlineCalls(Function& function) {
  for (unsigned done = 0; done < kMostCalls && function.getInstructionCount() < kMostInstructions; ++done) {
    llvm::CallBase* next = nullptr;
    for (Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      if (callee == nullptr || callee->isDeclaration() || callee == &function) continue;
      if (isCheckBody(*callee)) continue;  // its turn comes later
      next = call;
      break;
    }
    llvm::InlineFunctionInfo info;
    if (next == nullptr || !llvm::InlineFunction(*next, info).isSuccess()) return;
  }
}

llvm::PreservedAnalyses KeepPristineKernels::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<Function*, 8> kernels;
  for (Function& function : module) {
    const bool isKernel = function.hasFnAttribute(kKernelAttribute) && !function.isDeclaration();
    if (isKernel && !function.hasOptNone() && usesSharedMemory(function)) kernels.push_back(&function);
  }
  for (Function* kernel : kernels) keep(*kernel);
  return kernels.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

Function* pristineOf(Function& kernel) {
  Function* copy = kernel.getParent()->getFunction((kernel.getName() + kSuffix).str());
  return copy != nullptr && isPristine(*copy) ? copy : nullptr;
}

bool isPristine(const Function& function) { return function.hasFnAttribute(kPristineAttribute); }

void clarify(Function& function, llvm::FunctionAnalysisManager& analyses) {
  function.removeFnAttr(llvm::Attribute::OptimizeNone);
  const auto run = [&](auto pass) {
    llvm::FunctionPassManager passes;
    passes.addPass(std::move(pass));
    passes.run(function, analyses);
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  };
  run(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  Function* hold = holdLoads(function);
  run(llvm::InstCombinePass());
  release(*hold);
  relaxRereads(function);
  yieldInOwnLoops(function);
}

void beginAnew(Function& kernel, llvm::FunctionAnalysisManager& analyses,
               llvm::function_ref<void(Function&)> prepare) {
  Function& copy = *pristineOf(kernel);
  prepare(copy);
  llvm::PassBuilder builder;
  registerLoopPasses(builder);
  builder.buildFunctionSimplificationPipeline(llvm::OptimizationLevel::O2, llvm::ThinOrFullLTOPhase::None)
      .run(copy, analyses);
  yieldInOwnLoops(copy);
  analyses.clear(copy, copy.getName());
  analyses.clear(kernel, kernel.getName());
  const auto linkage = kernel.getLinkage();
  kernel.deleteBody();
  kernel.setLinkage(linkage);
  kernel.splice(kernel.begin(), &copy);
  for (auto [own, old] : llvm::zip(kernel.args(), copy.args())) old.replaceAllUsesWith(&own);
  kernel.setSubprogram(copy.getSubprogram());
}

void dropPristineKernels(llvm::Module& module) {
  const auto isCopy = [](const llvm::Constant* used) {
    const auto* function = llvm::dyn_cast<Function>(used->stripPointerCasts());
    return function != nullptr && isPristine(*function);
  };
  llvm::removeFromUsedLists(module, [&](llvm::Constant* used) { return isCopy(used); });
  for (Function& function : llvm::make_early_inc_range(module)) {
    if (isPristine(function)) function.eraseFromParent();
  }
}

}  // namespace musashim::mcc
