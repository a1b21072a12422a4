#include "static_variables.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

namespace musashim::mtrtc {
namespace {

using namespace clang;

class StaticVariables : public ASTConsumer {
 public:
  explicit StaticVariables(bool byTheirNames) : byTheirNames_(byTheirNames) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl* declaration : group) visit(declaration);
    return true;
  }
  void HandleInterestingDecl(DeclGroupRef) override {}

 private:
  void visit(Decl* declaration) {
    if (auto* variable = dyn_cast<VarDecl>(declaration)) return expose(*variable);
    if (!isa<NamespaceDecl, LinkageSpecDecl>(declaration)) return;
    for (Decl* inner : cast<DeclContext>(declaration)->decls()) visit(inner);
  }

  // Clang keeps those that code of the host refers to, of which there is none here.
  void expose(VarDecl& variable) {
    if (!variable.hasAttr<CUDADeviceAttr>() && !variable.hasAttr<CUDAConstantAttr>()) return;
    if (variable.isExternallyVisible() || variable.isConstexpr()) return;
    ASTContext& context = variable.getASTContext();
    context.CUDADeviceVarODRUsedByHost.insert(&variable);
    if (!byTheirNames_) return;
    // As NVRTC calls them.
    const bool isGlobal = variable.getDeclContext()->getRedeclContext()->isTranslationUnit();
    if (isGlobal && !variable.hasAttr<AsmLabelAttr>())
      variable.addAttr(AsmLabelAttr::CreateImplicit(context, variable.getName(), /*IsLiteralLabel=*/true));
  }

  bool byTheirNames_;
};

}  // namespace

std::unique_ptr<ASTConsumer> exposeStaticVariables(bool byTheirNames) {
  return std::make_unique<StaticVariables>(byTheirNames);
}

}  // namespace musashim::mtrtc
