#pragma once

#include <memory>

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "translator/semantic/facts.h"

namespace musashim::translator {

/// Sees #if and #define of the project's files: versions and architectures tested through macros, and
/// macros that say a warp has 32 lanes.
std::unique_ptr<clang::PPCallbacks> preprocessorChecks(clang::Preprocessor& preprocessor, UnitFacts& facts);

}  // namespace musashim::translator
