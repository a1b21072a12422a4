// `texture<float, 2> image;`: CUDA up to 11 had these templates without an include, so programs of that age
// rely on `texture` and `surface`, while programs of today may give the names to something else. The SDK has
// the templates in a namespace of its own; a use of the name that finds nothing else finds them there.
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/ExternalSemaSource.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

namespace musashim::mcc {
namespace {

using namespace clang;

class ReferenceNames : public ExternalSemaSource {
 public:
  explicit ReferenceNames(ASTContext& context) : context_(context), sdk_(&context.Idents.get("musashim")) {}

  bool LookupUnqualified(LookupResult& result, Scope*) override {
    const IdentifierInfo* name = result.getLookupName().getAsIdentifierInfo();
    const bool isUse = result.getLookupKind() == Sema::LookupOrdinaryName && !result.isForRedeclaration();
    if (!isUse || name == nullptr || !(name->isStr("texture") || name->isStr("surface"))) return false;
    for (NamedDecl* space : context_.getTranslationUnitDecl()->lookup(sdk_)) {
      const auto* names = dyn_cast<NamespaceDecl>(space);
      if (names == nullptr) continue;
      for (NamedDecl* found : names->lookup(result.getLookupName())) {
        if (isa<ClassTemplateDecl>(found)) result.addDecl(found);
      }
    }
    result.resolveKind();
    return !result.empty();
  }

 private:
  ASTContext& context_;
  IdentifierInfo* sdk_;
};

class ReferenceNamesConsumer : public SemaConsumer {
 public:
  void InitializeSema(Sema& sema) override {
    sema.addExternalSource(new ReferenceNames(sema.getASTContext()));  // Sema counts who uses it
  }
};

class ReferenceNamesAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    if (!compiler.getLangOpts().CPlusPlus) return std::make_unique<ASTConsumer>();
    return std::make_unique<ReferenceNamesConsumer>();
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<ReferenceNamesAction> registration("musa-reference-names",
                                                               "finds texture and surface references");

}  // namespace
}  // namespace musashim::mcc
