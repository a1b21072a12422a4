// Refuses headers of another CUDA toolkit that lies where the compiler looks: they declare what this SDK's
// libraries do not have, by types of their own.
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringMap.h"
#include "mcc/other_toolkit.h"
#include "missing_headers.h"

namespace musashim::mcc {
namespace {

using namespace clang;

class ToolkitHeaders : public PPCallbacks {
 public:
  explicit ToolkitHeaders(DiagnosticsEngine& diagnostics)
      : diagnostics_(diagnostics),
        refused_(
            diagnostics.getCustomDiagID(DiagnosticsEngine::Fatal,
                                        "'%0' is a header of another CUDA toolkit, in '%1', which does not "
                                        "belong to this SDK: %2")) {}

  void InclusionDirective(SourceLocation, const Token&, StringRef name, bool, CharSourceRange range,
                          OptionalFileEntryRef file, StringRef folder, StringRef, const Module*, bool,
                          SrcMgr::CharacteristicKind) override {
    if (!file || folder.empty() || !isToolkitHeader(std::string_view(name))) return;
    const auto [known, isNew] = folders_.try_emplace(folder, false);
    if (isNew) known->second = isOtherToolkitInclude(folder.str());
    if (!known->second) return;
    const std::string advice = missingHeaderAdvice(name);
    diagnostics_.Report(range.getBegin(), refused_)
        << name << folder
        << (advice.empty() ? "leave out what needs it, or give a copy of it by -I if it needs no library"
                           : advice);
  }

 private:
  DiagnosticsEngine& diagnostics_;
  unsigned refused_;
  llvm::StringMap<bool> folders_;  // is it another toolkit's?
};

class ToolkitHeadersAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<ToolkitHeaders>(compiler.getDiagnostics()));
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<ToolkitHeadersAction> registration("musa-toolkit-headers",
                                                               "refuses headers of other CUDA toolkits");

}  // namespace
}  // namespace musashim::mcc
