#pragma once

// What the value of an expression is, or where it comes from, as far as the source of one function tells.

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "clang/AST/Expr.h"

namespace musashim::translator {

/// The value of a constant of an integer type; nothing for what is none, or has errors.
std::optional<std::int64_t> constantOf(const clang::ASTContext& context, const clang::Expr* expression);

/// The value, or what a variable of the function began with.
std::optional<std::int64_t> initialOf(const clang::ASTContext& context, const clang::Expr* expression);

/// Does a name in it, or in what its variables began with, hold one of the parts, whatever its case?
bool comesFrom(const clang::Stmt* statement, std::initializer_list<const char*> parts, int depth = 0);

/// Threads of a block in <<<grid, HERE>>>: an integer, or dim3 of constants.
std::optional<std::int64_t> blockSizeOf(const clang::ASTContext& context, const clang::Expr* expression);

}  // namespace musashim::translator
