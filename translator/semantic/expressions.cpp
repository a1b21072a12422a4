#include "translator/semantic/expressions.h"

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

namespace musashim::translator {
namespace {

using namespace clang;

/// Of a copied variable that cannot have changed since.
std::optional<std::int64_t> blockSizeOfCopied(const ASTContext& context, const Expr* copied) {
  const auto* reference = dyn_cast<DeclRefExpr>(copied->IgnoreImplicit());
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  const bool settled = variable && variable->getInit() && variable->getType().isConstQualified();
  return settled ? blockSizeOf(context, variable->getInit()) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> constantOf(const ASTContext& context, const Expr* expression) {
  if (!expression || expression->isValueDependent() || expression->containsErrors()) return std::nullopt;
  if (!expression->getType()->isIntegralOrEnumerationType()) return std::nullopt;
  Expr::EvalResult result;
  if (!expression->EvaluateAsInt(result, context)) return std::nullopt;
  const llvm::APSInt& value = result.Val.getInt();
  if (!value.isRepresentableByInt64()) return std::nullopt;
  return value.getExtValue();
}

std::optional<std::int64_t> initialOf(const ASTContext& context, const Expr* expression) {
  if (const auto value = constantOf(context, expression)) return value;
  const auto* reference = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->isLocalVarDecl() ? constantOf(context, variable->getInit()) : std::nullopt;
}

bool comesFrom(const Stmt* statement, std::initializer_list<const char*> parts, int depth) {
  if (!statement || depth > 12) return false;
  if (const auto* opaque = dyn_cast<OpaqueValueExpr>(statement))
    return comesFrom(opaque->getSourceExpr(), parts, depth + 1);
  if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
    const ValueDecl* declaration = reference->getDecl();
    const std::string name = StringRef(declaration->getNameAsString()).lower();
    for (const char* part : parts) {
      if (name.find(part) != std::string::npos) return true;
    }
    if (const auto* variable = dyn_cast<VarDecl>(declaration);
        variable && variable->isLocalVarDecl() && variable->getInit()) {
      return comesFrom(variable->getInit(), parts, depth + 4);
    }
    return false;
  }
  return std::any_of(statement->child_begin(), statement->child_end(),
                     [&](const Stmt* child) { return comesFrom(child, parts, depth + 1); });
}

std::optional<std::int64_t> blockSizeOf(const ASTContext& context, const Expr* expression) {
  expression = expression->IgnoreImplicit();
  if (const auto value = constantOf(context, expression)) return value;
  if (const auto* functional = dyn_cast<CXXFunctionalCastExpr>(expression))
    return blockSizeOf(context, functional->getSubExpr());
  const auto* construct = dyn_cast<CXXConstructExpr>(expression);
  if (!construct) return std::nullopt;
  if (const auto* record = construct->getConstructor()->getParent();
      !record->getIdentifier() || record->getName() != "dim3")
    return std::nullopt;
  if (construct->getNumArgs() == 1 && construct->getConstructor()->isCopyOrMoveConstructor())
    return blockSizeOfCopied(context, construct->getArg(0));
  std::int64_t product = 1;
  for (const Expr* argument : construct->arguments()) {
    const auto value = constantOf(
        context, isa<CXXDefaultArgExpr>(argument) ? cast<CXXDefaultArgExpr>(argument)->getExpr() : argument);
    if (!value) return std::nullopt;
    product *= *value;
  }
  return product;
}

}  // namespace musashim::translator
