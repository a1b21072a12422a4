#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "passes.h"

namespace {

void registerPasses(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(musashim::mcc::ReadSourceFacts());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(musashim::mcc::GpuArithmetic()));
    passes.addPass(musashim::mcc::SharedMemory());
  });
  // After inlining and simplification, before vectorisation: the loops over threads
  // are what is to be vectorised.
  builder.registerOptimizerEarlyEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(musashim::mcc::KernelEntries());
    passes.addPass(musashim::mcc::ImageTable());
  });
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "musa-device", "1", registerPasses};
}
