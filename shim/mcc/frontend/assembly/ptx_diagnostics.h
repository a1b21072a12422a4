// Inline PTX does not assemble for MUSA: says so where it stands, with the C++ that does the
// same where musaport's rules (translator/mappings/ptx.yml) have it.
#pragma once

#include "clang/Frontend/CompilerInstance.h"

namespace musashim::mcc {

// From here on, reports the inline PTX that `compiler` reads.
void reportInlinePtx(clang::CompilerInstance& compiler);

}  // namespace musashim::mcc
