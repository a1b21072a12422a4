// mcc's host pass: clang emits launches and registration for HIP under fixed names;
// musart's entries have the same signatures under the vendor's names.
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

namespace {

constexpr std::pair<llvm::StringRef, llvm::StringRef> kRuntimeNames[] = {
    {"hipLaunchKernel", "musaLaunchKernel"},
    {"__hipPushCallConfiguration", "__musaPushCallConfiguration"},
    {"__hipPopCallConfiguration", "__musaPopCallConfiguration"},
    {"__hipRegisterFatBinary", "__musaRegisterFatBinary"},
    {"__hipUnregisterFatBinary", "__musaUnregisterFatBinary"},
    {"__hipRegisterFunction", "__musaRegisterFunction"},
    {"__hipRegisterVar", "__musaRegisterVar"},
    {"__hipRegisterManagedVar", "__musaRegisterManagedVar"},
    {"__hipRegisterSurface", "__musaRegisterSurface"},
    {"__hipRegisterTexture", "__musaRegisterTexture"},
};

struct RegistrationNames : llvm::PassInfoMixin<RegistrationNames> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    for (const auto& [from, to] : kRuntimeNames) {
      llvm::Function* function = module.getFunction(from);
      if (function == nullptr || !function->isDeclaration()) continue;
      if (llvm::Function* existing = module.getFunction(to)) {
        function->replaceAllUsesWith(existing);
      } else {
        function->setName(to);
      }
    }
    // A mark of the compilation unit that nothing reads: it must not clash when linking.
    for (llvm::GlobalVariable& global : module.globals()) {
      if (global.getName().starts_with("__hip_cuid_")) global.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

void registerPasses(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(RegistrationNames()); });
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "musa-host", "1", registerPasses};
}
