// Clang notes which variables of the device the host's code uses: their code is generated on both sides even
// if device code has no use for them, and those of one file alone get a name that the host can find. It does
// not keep the note in precompiled headers. Here such a variable of a header counts as `used`, which is kept.
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace musashim::mcc {
namespace {

using namespace clang;

class PrecompiledVariablesConsumer : public ASTConsumer {
 public:
  PrecompiledVariablesConsumer(ASTContext& context, bool isHeader) : context_(context), isHeader_(isHeader) {}

  void HandleTranslationUnit(ASTContext&) override {
    if (!isHeader_) return;
    for (const VarDecl* variable : context_.CUDADeviceVarODRUsedByHost)
      const_cast<VarDecl*>(variable)->addAttr(UsedAttr::CreateImplicit(context_));
  }

  void HandleInterestingDecl(DeclGroupRef group) override {
    for (const Decl* declaration : group) {
      const auto* variable = dyn_cast<VarDecl>(declaration);
      if (variable != nullptr && variable->isFromASTFile() && variable->hasAttr<UsedAttr>() &&
          (variable->hasAttr<CUDADeviceAttr>() || variable->hasAttr<CUDAConstantAttr>()))
        context_.CUDADeviceVarODRUsedByHost.insert(variable);
    }
  }

 private:
  ASTContext& context_;
  const bool isHeader_;
};

class PrecompiledVariablesAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    const bool isHeader = compiler.getFrontendOpts().ProgramAction == frontend::GeneratePCH;
    return std::make_unique<PrecompiledVariablesConsumer>(compiler.getASTContext(), isHeader);
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<PrecompiledVariablesAction> registration(
    "musa-precompiled-variables", "keeps which of a header's device variables the host uses");

}  // namespace
}  // namespace musashim::mcc
