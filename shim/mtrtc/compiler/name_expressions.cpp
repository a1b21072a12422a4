#include "name_expressions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

namespace musashim::mtrtc {
namespace {

using namespace clang;

constexpr StringRef kAlias = "__mtrtc_name_";

// The function or variable that an expression refers to.
class Referred : public RecursiveASTVisitor<Referred> {
 public:
  bool VisitDeclRefExpr(DeclRefExpr* reference) {
    if (isa<FunctionDecl, VarDecl>(reference->getDecl())) declaration = reference->getDecl();
    return declaration == nullptr;
  }
  ValueDecl* declaration = nullptr;
};

class NamesConsumer : public SemaConsumer {
 public:
  NamesConsumer(CompilerInstance& compiler, std::vector<std::string>& lowered)
      : compiler_(compiler), lowered_(lowered) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl* declaration : group) {
      auto* alias = dyn_cast<TypeAliasDecl>(declaration);
      if (alias == nullptr || !alias->getIdentifier() || !alias->getName().starts_with(kAlias)) continue;
      size_t index = 0;
      if (alias->getName().drop_front(kAlias.size()).getAsInteger(10, index) || index >= lowered_.size())
        continue;
      lower(*alias, lowered_[index]);
    }
    return true;
  }

 private:
  void lower(TypeAliasDecl& alias, std::string& name) {
    const auto* type = alias.getUnderlyingType()->getAs<DecltypeType>();
    if (type == nullptr) return;
    Referred referred;
    referred.TraverseStmt(type->getUnderlyingExpr());
    if (referred.declaration == nullptr) {
      DiagnosticsEngine& diagnostics = compiler_.getDiagnostics();
      diagnostics.Report(
          alias.getLocation(),
          diagnostics.getCustomDiagID(DiagnosticsEngine::Error,
                                      "the name expression names no kernel, function or variable"));
      return;
    }
    Sema& sema = compiler_.getSema();
    if (auto* function = dyn_cast<FunctionDecl>(referred.declaration)) {
      sema.MarkFunctionReferenced(alias.getLocation(), function);
      function->setReferenced();
    } else if (auto* variable = dyn_cast<VarDecl>(referred.declaration)) {
      sema.MarkVariableReferenced(alias.getLocation(), variable);
      variable->setReferenced();
    }
    name = ASTNameGenerator(compiler_.getASTContext()).getName(referred.declaration);
  }

  CompilerInstance& compiler_;
  std::vector<std::string>& lowered_;
};

}  // namespace

std::string nameDeclarations(const std::vector<std::string>& expressions) {
  std::string text;
  for (size_t i = 0; i < expressions.size(); ++i) {
    const StringRef expression = StringRef(expressions[i]).trim();
    const bool isAddress = expression.starts_with("&") || expression.starts_with("(");
    text += "\n#line " + std::to_string(i + 1) + " \"name expression\"\nusing " + kAlias.str() +
            std::to_string(i) + " = decltype(" + (isAddress ? "" : "&") + expression.str() + ");";
  }
  return text.empty() ? text : text + "\n";
}

std::unique_ptr<ASTConsumer> lowerNames(CompilerInstance& compiler, std::vector<std::string>& lowered) {
  return std::make_unique<NamesConsumer>(compiler, lowered);
}

}  // namespace musashim::mtrtc
