// Clang's RecursiveASTVisitor, made once: each class that derives from that is a few thousand functions, 6
// seconds of a build and 300 KB.
#pragma once

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"

namespace musashim::mcc {

// What a traversal sees, parents before their parts.
class SyntaxVisitor {
 public:
  enum : unsigned {
    kWritten = 0,         // what the source says, alone
    kInstantiations = 1,  // also instances of templates
    kImplicit = 2         // also what clang adds: constructors, loops' iterators, ...
  };

  explicit SyntaxVisitor(unsigned parts = kWritten) : parts_(parts) {}
  SyntaxVisitor(const SyntaxVisitor&) = delete;
  SyntaxVisitor& operator=(const SyntaxVisitor&) = delete;
  virtual ~SyntaxVisitor() = default;

  // False: a visit ended it.
  bool traverse(clang::Decl* declaration);
  bool traverse(clang::Stmt* statement);
  bool traverse(clang::TypeLoc type);

  unsigned parts() const { return parts_; }

  // Whether it goes on with one of these; else they are not visited either.
  virtual bool enters(clang::FunctionTemplateDecl&) { return true; }
  virtual bool enters(clang::ClassTemplateDecl&) { return true; }
  virtual bool enters(clang::ClassTemplatePartialSpecializationDecl&) { return true; }
  virtual bool enters(clang::LambdaExpr&) { return true; }
  // False: the traversal ends.
  virtual bool visit(clang::Decl&) { return true; }
  virtual bool visit(clang::Stmt&) { return true; }

 private:
  const unsigned parts_;
};

}  // namespace musashim::mcc
