// Members of types that are incomplete where a template names them: `template <int N> int f(L* p) { return
// p->m; }`. Nothing may instantiate the template before the type is complete; nvcc and g++ look then, clang
// at once. So such an access is looked up where the template is instantiated. A default
// argument of a class template's member that names its own parameter is wrong only where it is used, to nvcc.
#include <memory>
#include <set>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "syntax_visitor.h"

namespace musashim::mcc {
namespace {

using namespace clang;

// Keeps such errors from clang's count, and those of templates from the user.
class LaterErrors : public DiagnosticConsumer {
 public:
  LaterErrors(DiagnosticsEngine& engine, bool isDevicePass)
      : engine_(engine), owned_(engine.takeClient()), next_(engine.getClient()), isDevicePass_(isDevicePass) {
    counted_ = engine.getCustomDiagID(DiagnosticsEngine::Error, "an error that has been said");
    engine.setSeverity(diag::err_incomplete_member_access, diag::Severity::Remark, SourceLocation());
    if (isDevicePass)
      engine.setSeverity(diag::err_param_default_argument_references_param, diag::Severity::Remark,
                         SourceLocation());
  }

  void setSema(Sema* sema) { sema_ = sema; }
  // The places of `.` and `->` in templates, before which clang has left a hole.
  const std::set<SourceLocation>& accesses() const { return accesses_; }
  bool hasLeftOut() const { return leftOut_; }

  // What was no error of a template counts before code is generated.
  void count() {
    if (!std::exchange(isPending_, false)) return;
    engine_.Report(counted_);
  }

  void BeginSourceFile(const LangOptions& options, const Preprocessor* preprocessor) override {
    next_->BeginSourceFile(options, preprocessor);
  }
  void EndSourceFile() override { next_->EndSourceFile(); }
  void finish() override { next_->finish(); }
  bool IncludeInDiagnosticCounts() const override { return next_->IncludeInDiagnosticCounts(); }

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& info) override {
    if (info.getID() == counted_) return DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level == DiagnosticsEngine::Note && dropsNotes_) return;
    dropsNotes_ = false;
    const bool isAccess = info.getID() == diag::err_incomplete_member_access;
    if (isAccess || (isDevicePass_ && info.getID() == diag::err_param_default_argument_references_param)) {
      if (sema_ != nullptr && sema_->CurContext->isDependentContext()) {
        if (isAccess) accesses_.insert(info.getLocation());
        leftOut_ = dropsNotes_ = true;
        return;
      }
      isPending_ = true;
      return next_->HandleDiagnostic(DiagnosticsEngine::Error, info);
    }
    DiagnosticConsumer::HandleDiagnostic(level, info);
    next_->HandleDiagnostic(level, info);
  }

 private:
  DiagnosticsEngine& engine_;
  std::unique_ptr<DiagnosticConsumer> owned_;
  DiagnosticConsumer* next_;
  const bool isDevicePass_;
  Sema* sema_ = nullptr;
  std::set<SourceLocation> accesses_;
  unsigned counted_ = 0;
  bool isPending_ = false, dropsNotes_ = false, leftOut_ = false;
};

// Clang leaves a hole in the place of the object: its only part is what the object was. The access itself is
// one that is looked up later, as the hole has no type.
class Holes : public SyntaxVisitor {
 public:
  Holes(ASTContext& context, LaterErrors& errors) : context_(context), errors_(errors) {}

  bool visit(Stmt& statement) override {
    for (Stmt*& part : statement.children()) {
      if (auto* hole = dyn_cast_or_null<RecoveryExpr>(part)) fill(part, *hole);
    }
    return true;
  }
  bool visit(Decl& declaration) override {
    auto* variable = dyn_cast<VarDecl>(&declaration);
    if (variable == nullptr) return true;
    Stmt* initialiser = variable->getInit();
    if (auto* hole = dyn_cast_or_null<RecoveryExpr>(initialiser)) {
      fill(initialiser, *hole);
      variable->setInit(cast<Expr>(initialiser));
    }
    return true;
  }

 private:
  void fill(Stmt*& place, RecoveryExpr& hole) {
    if (hole.subExpressions().size() != 1) return;
    const auto sign =
        Lexer::findNextToken(hole.getEndLoc(), context_.getSourceManager(), context_.getLangOpts());
    if (sign && errors_.accesses().count(sign->getLocation()) != 0) place = hole.subExpressions().front();
  }

  ASTContext& context_;
  LaterErrors& errors_;
};

// Functions that are no templates, whose default arguments or bodies still have a hole.
class Leftovers : public SyntaxVisitor {
 public:
  explicit Leftovers(ASTContext& context) : SyntaxVisitor(kInstantiations), context_(context) {}
  bool enters(FunctionTemplateDecl& pattern) override {
    for (FunctionDecl* one : pattern.specializations()) traverse(one);
    return false;
  }
  bool enters(ClassTemplateDecl& pattern) override {
    for (ClassTemplateSpecializationDecl* one : pattern.specializations()) {
      for (Decl* member : one->decls()) traverse(member);
    }
    return false;
  }
  bool enters(ClassTemplatePartialSpecializationDecl&) override { return false; }
  bool visit(Stmt& statement) override {
    if (const auto* argument = dyn_cast<CXXDefaultArgExpr>(&statement))
      return !argument->getParam()->isInvalidDecl() || report(argument->getUsedLocation());
    return !isa<RecoveryExpr>(statement) || report(statement.getBeginLoc());
  }

 private:
  bool report(SourceLocation place) {
    DiagnosticsEngine& diagnostics = context_.getDiagnostics();
    if (!diagnostics.hasErrorOccurred())
      diagnostics.Report(place, diagnostics.getCustomDiagID(DiagnosticsEngine::Error,
                                                            "this uses what a template could not name"));
    return false;
  }
  ASTContext& context_;
};

class IncompleteMembersConsumer : public SemaConsumer {
 public:
  IncompleteMembersConsumer(ASTContext& context, LaterErrors& errors) : context_(context), errors_(errors) {}

  void InitializeSema(Sema& sema) override { errors_.setSema(&sema); }
  void ForgetSema() override { errors_.setSema(nullptr); }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    errors_.count();
    if (!errors_.hasLeftOut()) return true;
    for (Decl* declaration : group) {
      Holes(context_, errors_).traverse(declaration);
      if (!declaration->isTemplated()) Leftovers(context_).traverse(declaration);
    }
    return true;
  }
  void HandleTranslationUnit(ASTContext&) override { errors_.count(); }

 private:
  ASTContext& context_;
  LaterErrors& errors_;
};

class IncompleteMembersAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    if (!compiler.getLangOpts().CUDA) return std::make_unique<ASTConsumer>();
    DiagnosticsEngine& diagnostics = compiler.getDiagnostics();
    auto* errors = new LaterErrors(diagnostics, compiler.getLangOpts().CUDAIsDevice);
    diagnostics.setClient(errors, /*ShouldOwnClient=*/true);
    return std::make_unique<IncompleteMembersConsumer>(compiler.getASTContext(), *errors);
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<IncompleteMembersAction> registration(
    "musa-incomplete-members", "looks up members where templates are instantiated");

}  // namespace
}  // namespace musashim::mcc
