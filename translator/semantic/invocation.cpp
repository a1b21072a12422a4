#include "translator/semantic/invocation.h"

#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"

namespace musashim::translator {

using namespace clang;

std::shared_ptr<CompilerInvocation> invocationOf(const SemanticRequest& request, const SemanticUnit& unit,
                                                 const std::string& path, DiagnosticsEngine& diagnostics) {
  std::vector<const char*> arguments = {request.clang.c_str(), "-fsyntax-only", "-w", "-ferror-limit=0",
                                        // A guess would pass for the API.
                                        "-fno-spell-checking"};
  for (const std::string& argument : unit.arguments) arguments.push_back(argument.c_str());
  const bool musa = unit.language == SemanticLanguage::Musa;
  if (musa) {
    for (const char* fixed :
         {"--cuda-host-only", "-nogpuinc", "-nogpulib", "-fhip-new-launch-api", "-fdeclspec"})
      arguments.push_back(fixed);
  }
  const char* language = musa ? "hip" : unit.language == SemanticLanguage::C ? "c" : "c++";
  arguments.insert(arguments.end(), {"-x", language, path.c_str()});
  CreateInvocationOptions options;
  options.Diags = &diagnostics;
  std::shared_ptr<CompilerInvocation> result = createInvocation(arguments, options);
  if (!result) return nullptr;
  PreprocessorOptions& macros = result->getPreprocessorOpts();
  // Before the system's, where CUDA's headers may lie.
  auto& folders = result->getHeaderSearchOpts().UserEntries;
  folders.insert(folders.begin(), {request.include, frontend::System, false, true});
  if (musa) {
    llvm::erase_if(macros.Macros,
                   [](const auto& macro) { return StringRef(macro.first).starts_with("__HIP"); });
    for (const char* macro : {"__HIP__", "__HIPCC__", "__HIP_DEVICE_COMPILE__"}) macros.addMacroUndef(macro);
    for (const char* macro : {"__MUSACC__=", "__MUSA__=1", "__CUDA__=1", "MUSASHIM_DEVICE_COMPILER=1"})
      macros.addMacroDef(macro);
    macros.addMacroDef("__MUSA_ARCH__=" + std::to_string(request.targets.back().architecture));
    result->getLangOpts().CUDAIsDevice = true;
    result->getLangOpts().CUDAAllowVariadicFunctions = true;
    result->getTargetOpts().HostTriple = result->getTargetOpts().Triple;
  }
  result->getFrontendOpts().DisableFree = false;
  return result;
}

}  // namespace musashim::translator
