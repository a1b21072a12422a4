#pragma once

// Which expressions are the number of a thread or of a lane, by their names and by what these began with.

#include "clang/AST/Expr.h"

namespace musashim::translator {

/// Does the value come from threadIdx, or from a variable that does, or is called so?
bool isThread(const clang::Stmt* statement);

/// threadIdx.x itself, or a variable that is called like one.
bool isLane(const clang::Expr* expression);

/// A lane's number as it is, or so much more or less: what is cut off to fewer bits is none.
bool isLaneNumber(const clang::ASTContext& context, const clang::Expr* expression, int depth = 0);

/// A function that works on the lanes of a warp, by its name.
bool isWarpFunction(llvm::StringRef name);

/// Does the statement call a __shfl function?
bool callsShuffle(const clang::Stmt* statement);

}  // namespace musashim::translator
