#include "debug_threads.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {

llvm::PreservedAnalyses DebugThreads::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : module) {
    if (!function.hasFnAttribute(kKernelAttribute) || !function.hasOptNone()) continue;
    const llvm::DISubprogram* program = function.getSubprogram();
    if (program == nullptr || program->getUnit()->getEmissionKind() != llvm::DICompileUnit::FullDebug)
      continue;
    function.addFnAttr(kDebugThreadsAttribute);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
