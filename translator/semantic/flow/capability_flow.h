#pragma once

// Which variables, members and functions of a unit hold a compute capability: from musaDeviceProp's and
// musaFuncAttributes' members and the calls that tell it, through initialisers, assignments, arguments and
// results.

#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "translator/semantic/facts.h"

namespace musashim::translator {

class CapabilityFlow {
 public:
  /// Looks at all of the project's declarations in the unit.
  CapabilityFlow(clang::ASTContext& context, UnitFacts& facts);

  /// Is the expression's value one, or a sum or product of one?
  bool holds(const clang::Expr* expression) const;

 private:
  std::set<const clang::Decl*> holders_;
};

}  // namespace musashim::translator
