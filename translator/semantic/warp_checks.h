#pragma once

// What takes a warp to have 32 lanes, where a target's warps have more.

#include <string>

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "translator/semantic/walked_unit.h"

namespace musashim::translator {

/// Looks at device code, and at variables anywhere. Reports nothing if all targets have warps of 32 lanes.
class WarpChecks {
 public:
  explicit WarpChecks(const WalkedUnit& unit) : unit_(unit) {}

  void checkOperator(const WalkedFunction& function, const clang::BinaryOperator* operation) const;
  void checkLoop(const WalkedFunction& function, const clang::ForStmt* loop) const;
  /// `callee`: the name of what is called.
  void checkCall(WalkedFunction& function, const clang::CallExpr* call, llvm::StringRef callee) const;
  void checkVariable(const clang::VarDecl* variable) const;
  /// When all of the function was seen.
  void checkFunction(const WalkedFunction& function) const;

 private:
  bool concerns(const WalkedFunction& function) const { return function.device && !unit_.wide.empty(); }
  void checkLaneMask(const clang::BinaryOperator* shift) const;
  void report(clang::SourceLocation place, const std::string& subject, const std::string& what,
              const std::string& remedy = "use warpSize, or compile this for mp_31 only") const;

  const WalkedUnit& unit_;
};

}  // namespace musashim::translator
