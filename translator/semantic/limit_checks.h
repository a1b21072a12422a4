#pragma once

// What asks for more than a target has: threads of a block, shared memory, __constant__ memory.

#include <cstdint>
#include <string>

#include "clang/AST/Expr.h"
#include "translator/semantic/walked_unit.h"

namespace musashim::translator {

class LimitChecks {
 public:
  explicit LimitChecks(const WalkedUnit& unit) : unit_(unit) {}

  /// What <<<>>> and musaLaunchKernel are given; null: not said.
  void checkLaunch(clang::SourceLocation place, const std::string& kernel, const clang::Expr* block,
                   const clang::Expr* shared) const;
  /// musaFuncSetAttribute(kernel, musaFuncAttributeMaxDynamicSharedMemorySize, BYTES)
  void checkDynamicLimit(const clang::CallExpr* call) const;
  /// __launch_bounds__
  void checkBounds(const clang::FunctionDecl* kernel) const;
  /// Counts what the variable takes of __shared__ or __constant__ memory.
  void checkVariable(WalkedFunction& function, clang::VarDecl* variable);
  /// When all of the function was seen.
  void checkFunction(const WalkedFunction& function) const;

 private:
  void addShared(WalkedFunction& function, clang::VarDecl* variable) const;
  void addConstant(const clang::VarDecl* variable);
  void checkShared(clang::SourceLocation place, const std::string& subject, std::uint64_t bytes,
                   const std::string& of) const;

  const WalkedUnit& unit_;
  std::uint64_t constant_ = 0;  // bytes of __constant__ variables so far
};

}  // namespace musashim::translator
