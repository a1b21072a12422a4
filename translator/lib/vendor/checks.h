#pragma once

// Finds uses of what the vendor's SDK lacks, with clang: for mcc -Wvendor and musaport --semantic.

#include <functional>
#include <memory>
#include <string>

#include "clang/AST/ASTContext.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "translator/lib/vendor/gaps.h"

namespace musashim::translator {

/// Gets each use in code that is no system header's: where, what was written, and what it is of.
using VendorReport =
    std::function<void(clang::SourceLocation place, const std::string& subject, const VendorGap& gap)>;

/// Sees #include and uses of macros.
std::unique_ptr<clang::PPCallbacks> vendorPreprocessorChecks(clang::Preprocessor& preprocessor,
                                                             VendorReport report);

/// Walks the declarations of `context`.
void checkVendorUses(clang::ASTContext& context, const VendorReport& report);

}  // namespace musashim::translator
