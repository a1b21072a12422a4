#include "translator/semantic/lanes.h"

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "translator/semantic/expressions.h"

namespace musashim::translator {

using namespace clang;

bool isThread(const Stmt* statement) {
  return comesFrom(statement, {"threadidx", "lane", "tid", "thread", "warp"});
}

bool isLane(const Expr* expression) {
  for (const Expr* inner = nullptr; expression != inner;) {
    inner = expression = expression->IgnoreParenImpCasts();
    if (const auto* pseudo = dyn_cast<PseudoObjectExpr>(expression)) expression = pseudo->getSyntacticForm();
    if (const auto* property = dyn_cast<MSPropertyRefExpr>(expression)) expression = property->getBaseExpr();
    if (const auto* opaque = dyn_cast<OpaqueValueExpr>(expression)) expression = opaque->getSourceExpr();
    if (const auto* member = dyn_cast<MemberExpr>(expression)) expression = member->getBase();
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(expression))
      expression = call->getImplicitObjectArgument();
  }
  const auto* reference = dyn_cast<DeclRefExpr>(expression);
  if (!reference) return false;
  const std::string name = StringRef(reference->getDecl()->getNameAsString()).lower();
  return name == "tid" || name == "threadidx" || name.find("lane") != std::string::npos;
}

bool isLaneNumber(const ASTContext& context, const Expr* expression, int depth) {
  expression = expression->IgnoreParenImpCasts();
  if (depth > 8) return false;
  if (const auto* cast = dyn_cast<ExplicitCastExpr>(expression))
    return isLaneNumber(context, cast->getSubExpr(), depth + 1);
  if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
    const Expr *left = operation->getLHS(), *right = operation->getRHS();
    const auto number = constantOf(context, right);
    const auto opcode = operation->getOpcode();
    if (opcode == BO_Add || opcode == BO_Sub)
      return (number && isLaneNumber(context, left, depth + 1)) ||
             (constantOf(context, left) && isLaneNumber(context, right, depth + 1));
    const bool ofWarp = (opcode == BO_And && number == 31) || (opcode == BO_Rem && number == 32) ||
                        (opcode == BO_Rem && comesFrom(right, {"warpsize", "warp_size"}));
    return ofWarp && isThread(left);
  }
  const auto* reference = dyn_cast<DeclRefExpr>(expression);
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (!variable) return false;
  if (variable->isLocalVarDecl() && variable->getInit()) {
    const auto* operation = dyn_cast<BinaryOperator>(variable->getInit()->IgnoreParenImpCasts());
    if (operation) return isLaneNumber(context, operation, depth + 1);
  }
  return isLane(expression) && StringRef(variable->getName()).lower().find("lane") != std::string::npos;
}

bool isWarpFunction(StringRef name) {
  for (const char* prefix :
       {"__shfl", "__ballot", "__any", "__all", "__syncwarp", "__reduce_", "__match_", "__activemask"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

bool callsShuffle(const Stmt* statement) {
  if (!statement) return false;
  if (const auto* call = dyn_cast<CallExpr>(statement)) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (callee && callee->getIdentifier() && callee->getName().starts_with("__shfl")) return true;
    if (const auto* unresolved = dyn_cast<UnresolvedLookupExpr>(call->getCallee()->IgnoreImpCasts())) {
      if (StringRef(unresolved->getName().getAsString()).starts_with("__shfl")) return true;
    }
  }
  return std::any_of(statement->child_begin(), statement->child_end(),
                     [&](const Stmt* child) { return callsShuffle(child); });
}

}  // namespace musashim::translator
