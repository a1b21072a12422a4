// Inline PTX does not assemble for MUSA: says so where it stands, with the C++ that does the
// same where musaport's rules (translator/mappings/ptx.yml) have it. As an assembler would, of functions that
// become code alone.
#pragma once

#include <memory>

#include "clang/AST/Decl.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"

namespace musashim::mcc {

class InlinePtx {
 public:
  virtual ~InlinePtx() = default;
  // Of `function`, whose body has been read: errors where it turns out to become code.
  virtual void deferErrors(clang::Sema& sema, const clang::FunctionDecl& function) = 0;
};

// From here on, notes the inline PTX that `compiler` reads.
std::shared_ptr<InlinePtx> watchInlinePtx(clang::CompilerInstance& compiler);

}  // namespace musashim::mcc
