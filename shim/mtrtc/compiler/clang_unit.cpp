#include "clang_unit.h"

#include <mutex>

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"

namespace musashim::mtrtc {

bool prepareClang(const mcc::Toolchain& toolchain, const std::vector<std::string>& llvmArguments,
                  std::string& log) {
  static std::once_flag once;
  static auto& failure = *new std::string;
  std::call_once(once, [&] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    if (llvm::sys::DynamicLibrary::LoadLibraryPermanently(toolchain.devicePlugin.c_str(), &failure)) return;
    std::vector<const char*> arguments{"mtrtc"};
    for (const std::string& argument : llvmArguments) arguments.push_back(argument.c_str());
    // An error there is one of ours.
    llvm::raw_string_ostream errors(failure);
    llvm::cl::ParseCommandLineOptions(static_cast<int>(arguments.size()), arguments.data(), "", &errors);
  });
  if (!failure.empty()) log = failure;
  return failure.empty();
}

std::shared_ptr<clang::CompilerInvocation> invocationOf(const std::vector<std::string>& arguments,
                                                        clang::DiagnosticsEngine& diagnostics) {
  std::vector<const char*> pointers;
  for (size_t i = 1; i < arguments.size(); ++i) pointers.push_back(arguments[i].c_str());
  pointers.insert(pointers.end(), {"-x", "hip"});
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers, diagnostics, "clang")) return nullptr;
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getCodeGenOpts().DisableFree = false;
  return invocation;
}

}  // namespace musashim::mtrtc
