// Registers the passes of passes.h in clang's pipeline.
#include "../vectorizer/wrapping_strides.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "mcc/device_plugin/block/loops/modulo_indices.h"
#include "mcc/device_plugin/block/loops/vector_arithmetic.h"
#include "mcc/device_plugin/checks/check_instrument.h"
#include "mcc/device_plugin/checks/check_options.h"
#include "mcc/device_plugin/code_cache/code_cache.h"
#include "mcc/device_plugin/kernel_entry/debug_threads.h"
#include "mcc/device_plugin/kernel_entry/denormals.h"
#include "mcc/device_plugin/source_facts/inline_assembly.h"
#include "mcc/device_plugin/tuning/block_splitting.h"
#include "mcc/device_plugin/tuning/constant_memory.h"
#include "mcc/device_plugin/tuning/ordered_zeros.h"
#include "mcc/device_plugin/tuning/unpredictable_selects.h"
#include "passes.h"

namespace {

// Before optimisation, source lines are exact. What SROA leaves in memory is worth a check. The SDK's inline
// functions are reported at their callers' lines.
void addChecks(llvm::ModulePassManager& passes) {
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::SROAPass(llvm::SROAOptions::PreserveCFG)));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(musashim::mcc::SharedIndexWrap()));
  passes.addPass(musashim::mcc::CheckInstrument());
}

// Jump threading: threads of a block take both sides of a branch, so it gains nothing and hides where paths
// reconverge. LLVM skips it for targets with divergent branches as well. Load elimination: no iteration of a
// loop over threads loads what the one before has stored, and looking for that costs more than all that is
// found.
bool isUseless(llvm::StringRef pass) {
  return pass == "JumpThreadingPass" || pass == "LoopLoadEliminationPass";
}

const llvm::Function* functionOf(const llvm::Any& unit) {
  const auto* function = llvm::any_cast<const llvm::Function*>(&unit);
  return function != nullptr ? *function : nullptr;
}

constexpr unsigned kLongest = 10'000;  // instructions of a function of which passes look at pairs

void leaveOut(llvm::PassInstrumentationCallbacks& callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](llvm::StringRef pass, const llvm::Any& unit) {
    if (isUseless(pass)) return false;
    const llvm::Function* function = functionOf(unit);
    if (function == nullptr) return true;
    // A private array that is read in vectors that overlap stays in memory. So vectors are for loops over
    // threads.
    if (pass == "VectorCombinePass" && !musashim::mcc::hasEntries(*function->getParent())) return false;
    // They look at pairs of a block's instructions.
    if (pass == "VectorCombinePass" || pass == "SLPVectorizerPass")
      return function->getInstructionCount() <= kLongest;
    return true;
  });
}

void registerPasses(llvm::PassBuilder& builder) {
  if (auto* callbacks = builder.getPassInstrumentationCallbacks()) leaveOut(*callbacks);
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
    passes.addPass(musashim::mcc::CodeCache());
    passes.addPass(musashim::mcc::ReadSourceFacts());
    passes.addPass(musashim::mcc::DenormalsOfKernels());
    passes.addPass(musashim::mcc::InlineAssembly());
    passes.addPass(musashim::mcc::BoolBytes());
    passes.addPass(musashim::mcc::DeviceLaunches());
    passes.addPass(musashim::mcc::DebugThreads());
    if (musashim::mcc::enabledChecks() != 0) addChecks(passes);
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(musashim::mcc::GpuArithmetic()));
    passes.addPass(musashim::mcc::InlineConvergent());
    passes.addPass(musashim::mcc::LowerSharedMemory());
    if (level != llvm::OptimizationLevel::O0) passes.addPass(musashim::mcc::KeepPristineKernels());
  });
  builder.registerPeepholeEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel level) {
    passes.addPass(musashim::mcc::ConstantMemory());
    passes.addPass(musashim::mcc::OrderedZeros());
    passes.addPass(musashim::mcc::SharedIndexWrap());
    if (level.getSpeedupLevel() >= 2) passes.addPass(musashim::mcc::IndexWidening());
  });
  musashim::mcc::registerLoopPasses(builder);
  // After inlining and simplification, before vectorisation: the loops over threads
  // are what is to be vectorised.
  builder.registerOptimizerEarlyEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
        passes.addPass(musashim::mcc::KernelEntries());
        if (level.getSpeedupLevel() >= 2)
          passes.addPass(musashim::mcc::KernelMultiversioning());  // else nothing becomes a vector
        passes.addPass(musashim::mcc::ImageTable());
        passes.addPass(llvm::GlobalDCEPass());  // what kernels were made of
      });
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel level) {
        if (level.getSpeedupLevel() < 2) return;  // nothing becomes a vector
        passes.addPass(musashim::mcc::DivergentLoops());
        passes.addPass(musashim::mcc::ModuloIndices());
        passes.addPass(musashim::mcc::VectorDivisions());
        passes.addPass(musashim::mcc::SaturatingConversions());
        passes.addPass(musashim::mcc::InterleaveCount());
        passes.addPass(musashim::mcc::StoredRowLoops());
        passes.addPass(musashim::mcc::Prefetch());
        passes.addPass(musashim::mcc::StreamingStores());
        passes.addPass(musashim::mcc::StreamingLoops());
        passes.addPass(musashim::mcc::VariableTripCounts());
        passes.addPass(musashim::mcc::WrappingStrides());
      });
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
    if (level.getSpeedupLevel() < 2) return;
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(musashim::mcc::PromoteSharedMemory()));
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(musashim::mcc::DemandedElements()));
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(musashim::mcc::RerollRowLoads()));
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(musashim::mcc::OperandOrder()));
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(musashim::mcc::UnpredictableSelects()));
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(musashim::mcc::StackRealignment()));
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(musashim::mcc::BlockSplitting()));  // the last
  });
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "musa-device", "1", registerPasses};
}
