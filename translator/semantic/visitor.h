#pragma once

#include "clang/AST/ASTContext.h"
#include "translator/semantic/facts.h"

namespace musashim::translator {

/// Walks the declarations of the project's files: whose names they use, and what of them is not portable.
void visitUnit(clang::ASTContext& context, UnitFacts& facts);

}  // namespace musashim::translator
