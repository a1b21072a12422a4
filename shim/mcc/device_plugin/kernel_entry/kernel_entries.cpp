// Makes the entry of each kernel. Chooses how its threads run: loops over threads where possible, else a
// fiber per thread.
#include "arithmetic_intensity.h"
#include "entry_function.h"
#include "kernel_params.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/CommandLine.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/block/block_compiler.h"
#include "mcc/device_plugin/block/emit/emitter.h"
#include "mcc/device_plugin/block_order/block_steps.h"
#include "mcc/device_plugin/checks/check_inline.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/metrics/metrics_options.h"
#include "mcc/device_plugin/metrics/profiled_kernel.h"
#include "mcc/device_plugin/passes.h"
#include "mcc/device_plugin/semantics/convergence_order.h"
#include "mcc/device_plugin/semantics/pristine_kernels.h"
#include "mcc/device_plugin/semantics/spin_loops.h"
#include "mcc/device_plugin/semantics/thread_exits.h"
#include "mcc/device_plugin/semantics/unoptimized_hazards.h"
#include "mcc/device_plugin/semantics/waiting_reads.h"
#include "mcc/device_plugin/semantics/warp_synchronous.h"
#include "mcc/issue_tracker.h"
#include "reachability.h"

namespace musashim::mcc {
namespace {

using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

// The kernel as one thread of a block runs it (MusaThreadFunction).
Function* createThreadFunction(Function& kernel) {
  Function* thread = createEntry(kernel, ".musa_thread", llvm::Type::getVoidTy(kernel.getContext()));
  IRBuilder<> builder(kernel.getContext());
  startEntry(builder, *thread);
  const std::vector<Value*> arguments = loadParams(kernel, thread->getArg(0), builder, builder);
  llvm::CallInst* call = callKernel(builder, kernel, arguments);
  builder.CreateRetVoid();
  auto* anchor = llvm::BasicBlock::Create(kernel.getContext(), "start", thread, &thread->getEntryBlock());
  llvm::BranchInst* start = llvm::BranchInst::Create(call->getParent(), anchor);
  inlineKernel(call);
  lowerBlockValues(*thread, thread->getArg(0), start);
  lowerByThreadState(*thread);
  return thread;
}

Function* createFiberEntry(Function& kernel) {
  Function* thread = createThreadFunction(kernel);
  return createRuntimeEntry(kernel, "__musa_run_fibers", [thread](IRBuilder<>&, Value*) { return thread; });
}

bool callsConvergentOperation(Function& kernel) {
  return llvm::any_of(reachableFrom(kernel), [](Function* f) { return unitOp(f->getName()).has_value(); });
}

bool endsThreadsElsewhere(Function& kernel) {
  return llvm::any_of(reachableFrom(kernel), [](Function* f) { return f->getName() == kExitThreadName; });
}

bool syncsGrid(Function& kernel) {
  return llvm::any_of(reachableFrom(kernel), [](Function* f) { return f->getName() == kGridSyncName; });
}

llvm::cl::opt<bool> alwaysFibers("musa-fibers", llvm::cl::desc("A fiber per thread for every MUSA kernel"),
                                 llvm::cl::Hidden);
llvm::cl::opt<bool> warnFibers("musa-warn-fibers", llvm::cl::desc("Warn about MUSA kernels that need fibers"),
                               llvm::cl::Hidden);

void warn(Function& kernel, const std::string& reason) {
  const llvm::DISubprogram* program = kernel.getSubprogram();
  kernel.getContext().diagnose(llvm::DiagnosticInfoUnsupported(
      kernel, "the threads of this kernel run on stacks of their own, which is slow: " + reason,
      program != nullptr ? llvm::DiagnosticLocation(program) : llvm::DiagnosticLocation(), llvm::DS_Warning));
}

constexpr llvm::StringRef kEntriesMetadata = "musa.entries";

constexpr size_t kManyKernels = 32;  // instances of templates, mostly

// Instructions from which on a kernel is not versioned for AVX-512. Longer ones are mostly products of
// unrolled matrix fragments (7,400 to 13,700 in cuda-samples, whose other kernels stay below 1,600). 512-bit
// vectors gained nothing there, and took minutes to compile.
constexpr unsigned kLongKernel = 4000;

// Checked blocks begin and end in the device runtime, which also has them run thread by thread where
// MUSASHIM_SCHEDULE asks for an order of threads.
Function* createCheckedEntry(Function& kernel, Function* entry, Function* fibers) {
  Function* checked = createEntry(kernel, ".musa_checked", llvm::Type::getVoidTy(kernel.getContext()));
  IRBuilder<> builder(kernel.getContext());
  startEntry(builder, *checked);
  llvm::Type* ptr = builder.getPtrTy();
  const auto run = kernel.getParent()->getOrInsertFunction(
      "__musa_run_checked", llvm::FunctionType::get(builder.getVoidTy(), {ptr, ptr, ptr}, false));
  builder.CreateCall(run, {checked->getArg(0), entry, fibers});
  builder.CreateRetVoid();
  return checked;
}

bool needsFibers(Function& kernel) {
  if (kernel.hasFnAttribute(kDebugThreadsAttribute) || alwaysFibers) return true;
  std::string reason;
  if (kernel.hasFnAttribute(kCheckedAttribute) && privateVariablesEscape(kernel)) {
    reason = "whose a private variable is shows there alone";
  } else if (callsConvergentOperation(kernel)) {
    reason = reasonForFibers(kernel);
  }
  if (reason.empty() && endsThreadsElsewhere(kernel))
    reason = "a thread ends within a function that is not inlined";
  if (!reason.empty() && warnFibers) warn(kernel, reason);
  return !reason.empty();
}

// Functions that are not inlined will read their thread index from memory, which LLVM has taken them not to
// do. Kernels' stores of the index must not look dead.
void admitReadsOfThreadState(llvm::Module& module) {
  llvm::SmallPtrSet<const Function*, 16> readers;
  const auto reads = [&](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return findBuiltin(calledName(instruction)) != nullptr ||
           (call != nullptr && readers.contains(call->getCalledFunction()));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Function& function : module) {
      if (readers.contains(&function) || llvm::none_of(llvm::instructions(function), reads)) continue;
      readers.insert(&function);
      function.setMemoryEffects(function.getMemoryEffects() | llvm::MemoryEffects::readOnly());
      changed = true;
    }
  }
  for (Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || !(call->isIndirectCall() || readers.contains(call->getCalledFunction())))
        continue;
      call->setMemoryEffects(call->getAttributes().getMemoryEffects() | llvm::MemoryEffects::readOnly());
    }
  }
}

// Each kernel is looked at before any is changed: they may have functions in common.
void convergeUnoptimizedKernels(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<Function*, 8> onBlock, onWarps, onMasks;
  for (Function& function : module) {
    if (function.isDeclaration() || !function.hasFnAttribute(kKernelAttribute) || !function.hasOptNone())
      continue;
    if (countsOnBlock(function, analyses)) onBlock.push_back(&function);
    if (countsOnWarps(function, analyses)) {
      onWarps.push_back(&function);
    } else if (asksAtSeveralPlaces(llvm::to_vector(reachableFrom(function)))) {
      onMasks.push_back(&function);
    }
  }
  for (Function* kernel : onBlock) stepUnoptimized(*kernel);
  for (Function* kernel : onWarps) convergeUnoptimized(*kernel, ConvergeAt::kAccesses);
  for (Function* kernel : onMasks) convergeUnoptimized(*kernel, ConvergeAt::kActiveMasks);
}

// Has threads wait for each other where the source relies on it without saying so.
void convergeWarps(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  for (Function& function : module) {
    if (function.isDeclaration() || isPristine(function)) continue;
    if (function.hasFnAttribute(kKernelAttribute) && !function.hasOptNone()) relaxRereads(function);
    yieldInSpinLoops(function);
  }
  convergeUnoptimizedKernels(module, analyses);
  for (Function& function : module) {
    if (function.isDeclaration() || !function.hasFnAttribute(kKernelAttribute) || function.hasOptNone())
      continue;
    stepAtBlockHazards(function, analyses);  // first: lanes have met where the block has
    convergeAtWarpHazards(function, analyses);
    convergeAtVolatileSteps(function);
    orderConvergencePoints(function, [](const llvm::CallBase&) { return false; });
  }
  dropPristineKernels(module);
}

}  // namespace

bool hasEntries(const llvm::Module& module) { return module.getNamedMetadata(kEntriesMetadata) != nullptr; }

llvm::PreservedAnalyses KernelEntries::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  auto& functionAnalyses = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (Function& function : module) {
    if (function.hasFnAttribute(kKernelAttribute) || isPristine(function)) returnAtThreadExits(function);
  }
  convergeWarps(module, functionAnalyses);
  settleChecks(module, functionAnalyses);
  admitReadsOfThreadState(module);
  llvm::PreservedAnalyses none = llvm::PreservedAnalyses::none();
  none.abandon<llvm::GlobalsAA>();  // remembers who reads what, and would stay
  analyses.invalidate(module, none);
  llvm::SmallVector<Function*, 16> kernels;
  for (Function& function : module) {
    if (function.hasFnAttribute(kKernelAttribute) && !function.isDeclaration()) kernels.push_back(&function);
  }
  if (kernels.size() > kManyKernels) module.getOrInsertNamedMetadata(kManyKernelsMetadata);
  llvm::SmallVector<llvm::GlobalVariable*, 16> profiles;
  for (Function* kernel : kernels) {
    ProfiledKernel profile;
    if (profilesKernels()) profile = profileKernel(*kernel, functionAnalyses);
    if (syncsGrid(*kernel)) kernel->addFnAttr(kSyncsGridAttribute);
    const BlockWaits waits = blockWaitsOf(*kernel);
    if (waits.looksBack) kernel->addFnAttr(kLooksBackAttribute);
    if (waits.takesTurns) kernel->addFnAttr(kTakesTurnsAttribute);
    if (waits.waitsForCount) kernel->addFnAttr(kWaitsForCountAttribute);
    bool fibers = needsFibers(*kernel);
    const bool checked = kernel->hasFnAttribute(kCheckedAttribute);
    // Fibers are not loops over threads, so nothing is vectorised; nor is checked code.
    const bool computeBound =
        !fibers && !checked && kernel->getInstructionCount() <= kLongKernel &&
        isComputeBound(*kernel, functionAnalyses.getResult<llvm::LoopAnalysis>(*kernel));
    Function* entry = fibers ? createFiberEntry(*kernel) : compileBlockFunction(*kernel, functionAnalyses);
    if (kernel->hasFnAttribute(kInvalidBlockAttribute)) {
      warn(*kernel,
           "it is not understood; please report it to musashim's issue tracker, " MUSASHIM_ISSUE_TRACKER);
      fibers = true;
      entry = createFiberEntry(*kernel);
    }
    if (checked) entry = createCheckedEntry(*kernel, entry, fibers ? entry : createFiberEntry(*kernel));
    if (profile.kernel != nullptr) {
      Function& copy = *profile.kernel;
      Function* counting =
          needsFibers(copy) ? createFiberEntry(copy) : compileBlockFunction(copy, functionAnalyses);
      if (copy.hasFnAttribute(kInvalidBlockAttribute)) counting = createFiberEntry(copy);
      entry = createProfiledEntry(*kernel, entry, counting, profile);
      profiles.push_back(profile.counters);
    }
    entry->addFnAttr(kEntryAttribute, kernel->getName());
    if (computeBound && !fibers) entry->addFnAttr(kComputeBoundAttribute);
    if (fibers) kernel->addFnAttr(kFibersAttribute);
  }
  for (Function& function : module) {
    if (!function.isDeclaration()) lowerByThreadState(function);
  }
  inlineChecks(module, functionAnalyses);
  registerProfiles(module, profiles);
  module.getOrInsertNamedMetadata(kEntriesMetadata);
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
