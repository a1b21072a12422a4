#include "syntax_visitor.h"

#include "clang/AST/RecursiveASTVisitor.h"

namespace musashim::mcc {
namespace {

using namespace clang;

class Traversal : public RecursiveASTVisitor<Traversal> {
  using Base = RecursiveASTVisitor<Traversal>;

 public:
  explicit Traversal(SyntaxVisitor& visitor) : visitor_(visitor) {}

  bool shouldVisitTemplateInstantiations() const { return visitor_.parts() & SyntaxVisitor::kInstantiations; }
  bool shouldVisitImplicitCode() const { return visitor_.parts() & SyntaxVisitor::kImplicit; }

  bool TraverseFunctionTemplateDecl(FunctionTemplateDecl* pattern) {
    return !visitor_.enters(*pattern) || Base::TraverseFunctionTemplateDecl(pattern);
  }
  bool TraverseClassTemplateDecl(ClassTemplateDecl* pattern) {
    return !visitor_.enters(*pattern) || Base::TraverseClassTemplateDecl(pattern);
  }
  bool TraverseClassTemplatePartialSpecializationDecl(ClassTemplatePartialSpecializationDecl* pattern) {
    return !visitor_.enters(*pattern) || Base::TraverseClassTemplatePartialSpecializationDecl(pattern);
  }
  bool TraverseLambdaExpr(LambdaExpr* lambda, DataRecursionQueue* queue = nullptr) {
    return !visitor_.enters(*lambda) || Base::TraverseLambdaExpr(lambda, queue);
  }
  bool VisitDecl(Decl* declaration) { return visitor_.visit(*declaration); }
  bool VisitStmt(Stmt* statement) { return visitor_.visit(*statement); }

 private:
  SyntaxVisitor& visitor_;
};

}  // namespace

bool SyntaxVisitor::traverse(Decl* declaration) { return Traversal(*this).TraverseDecl(declaration); }
bool SyntaxVisitor::traverse(Stmt* statement) { return Traversal(*this).TraverseStmt(statement); }
bool SyntaxVisitor::traverse(TypeLoc type) { return Traversal(*this).TraverseTypeLoc(type); }

}  // namespace musashim::mcc
