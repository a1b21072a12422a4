#pragma once

#include <memory>

#include "clang/Frontend/CompilerInvocation.h"
#include "translator/semantic/interface.h"

namespace musashim::translator {

/// What clang is to do for a file with the unit's language and options, as mcc would compile it; null: clang
/// takes none of the options, and `diagnostics` knows why. Without the prelude.
std::shared_ptr<clang::CompilerInvocation> invocationOf(const SemanticRequest& request,
                                                        const SemanticUnit& unit, const std::string& path,
                                                        clang::DiagnosticsEngine& diagnostics);

}  // namespace musashim::translator
