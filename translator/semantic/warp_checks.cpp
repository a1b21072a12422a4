#include "translator/semantic/warp_checks.h"

#include <cstdint>
#include <optional>
#include <string>

#include "clang/AST/ExprCXX.h"
#include "translator/semantic/expressions.h"
#include "translator/semantic/lanes.h"

namespace musashim::translator {

using namespace clang;

void WarpChecks::checkOperator(const WalkedFunction& function, const BinaryOperator* operation) const {
  if (!concerns(function)) return;
  const auto opcode = operation->getOpcode();
  const auto right = constantOf(unit_.context, operation->getRHS());
  if (!right) {
    if (operation->isShiftOp() || operation->isShiftAssignOp()) checkLaneMask(operation);
    return;
  }
  const std::string subject = operation->getOpcodeStr().str() + " " + std::to_string(*right);
  if (const bool less = opcode == BO_LT || opcode == BO_GE, atMost = opcode == BO_LE || opcode == BO_GT;
      (less && *right == 32) || (atMost && *right == 31)) {
    if (isLane(operation->getLHS()))
      report(operation->getOperatorLoc(), subject, "tells a warp of 32 from the others");
    return;
  }
  const bool warps = ((opcode == BO_Div && *right == 32) || (opcode == BO_Shr && *right == 5)) &&
                     comesFrom(operation->getLHS(), {"blockdim"});
  if (!warps && !isThread(operation->getLHS())) return;
  if (opcode == BO_AddAssign && *right == 32)
    return report(operation->getOperatorLoc(), subject, "steps by a warp of 32");
  const bool lanes =
      (opcode == BO_Rem || opcode == BO_RemAssign || opcode == BO_Div || opcode == BO_DivAssign) &&
      *right == 32;
  const bool mask = (opcode == BO_And || opcode == BO_AndAssign) && *right == 31;
  const bool shift = (opcode == BO_Shr || opcode == BO_ShrAssign) && *right == 5;
  if (lanes || mask || shift) report(operation->getOperatorLoc(), subject, "splits threads into warps of 32");
}

/// `1u << lane`, `0xffffffff >> (31 - lane)`, `(ballot >> lane) & 1`: a bit for each lane.
void WarpChecks::checkLaneMask(const BinaryOperator* shift) const {
  if (!isLaneNumber(unit_.context, shift->getRHS())) return;
  const QualType type = shift->isShiftAssignOp() ? shift->getLHS()->getType() : shift->getType();
  if (type->isDependentType() || !type->isIntegralOrEnumerationType()) return;
  report(shift->getOperatorLoc(), shift->getOpcodeStr().str() + " lane",
         "shifts " + std::to_string(unit_.context.getIntWidth(type)) + " bits by the number of a lane",
         "compare the numbers of lanes instead of their bits, or compile this for mp_31 only");
}

void WarpChecks::checkLoop(const WalkedFunction& function, const ForStmt* loop) const {
  if (!concerns(function) || !loop->getInit()) return;
  const Expr* start = nullptr;
  if (const auto* declared = dyn_cast<DeclStmt>(loop->getInit()); declared && declared->isSingleDecl()) {
    if (const auto* variable = dyn_cast<VarDecl>(declared->getSingleDecl())) start = variable->getInit();
  }
  const auto value = start ? constantOf(unit_.context, start) : std::nullopt;
  if (value && *value == 16 && callsShuffle(loop->getBody()))
    report(start->getExprLoc(), "16", "begins a reduction over 32 lanes");
  const auto* condition = dyn_cast_or_null<BinaryOperator>(loop->getCond());
  if (condition && condition->getOpcode() == BO_LT && callsShuffle(loop->getBody())) {
    const auto end = constantOf(unit_.context, condition->getRHS());
    if (end && *end == 32)
      report(condition->getRHS()->getExprLoc(), "32", "ends a loop of shuffles over 32 lanes");
  }
}

void WarpChecks::checkCall(WalkedFunction& function, const CallExpr* call, StringRef callee) const {
  if (!concerns(function) || !isWarpFunction(callee)) return;
  function.usesWarps = true;
  const unsigned count = call->getNumArgs();
  const auto mask = count > 0 ? initialOf(unit_.context, call->getArg(0)) : std::nullopt;
  if (mask && (*mask & 0xFFFFFFFFU) == 0xFFFFFFFFU) {
    report(call->getArg(0)->getExprLoc(), "0xffffffff",
           "is the mask of a whole warp of 32 lanes for " + callee.str());
  }
  if (callee.starts_with("__shfl") && callee.ends_with("_sync") && count == 4 &&
      !isa<CXXDefaultArgExpr>(call->getArg(3))) {
    const auto width = constantOf(unit_.context, call->getArg(3));
    if (width && *width == 32)
      report(call->getArg(3)->getExprLoc(), "32", "is the width of a whole warp for " + callee.str());
  }
  if (callee == "__ballot_sync" || callee == "__activemask")
    report(call->getExprLoc(), callee.str(), "has a bit for each of 32 lanes");
}

void WarpChecks::checkVariable(const VarDecl* variable) const {
  if (unit_.wide.empty()) return;
  const std::string lower = StringRef(variable->getNameAsString()).lower();
  const bool constantValue = variable->getType().isConstQualified() && variable->getInit() &&
                             variable->getType()->isIntegralOrEnumerationType();
  if (!constantValue || lower.find("warp") == std::string::npos) return;
  const auto value = constantOf(unit_.context, variable->getInit());
  if (value && *value == 32) report(variable->getLocation(), variable->getNameAsString(), "is 32");
}

void WarpChecks::checkFunction(const WalkedFunction& function) const {
  if (!concerns(function) || !function.usesWarps) return;
  for (const VarDecl* variable : function.laneArrays) {
    report(variable->getLocation(), variable->getNameAsString(),
           "has 32 elements beside warp functions: one for each lane, or for each of 32 warps");
  }
}

void WarpChecks::report(SourceLocation place, const std::string& subject, const std::string& what,
                        const std::string& remedy) const {
  unit_.report(place, "warp", subject, what + ", but " + listed(unit_.wide) + " have 128", remedy);
}

}  // namespace musashim::translator
