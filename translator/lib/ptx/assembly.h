#pragma once

#include <cstddef>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

enum class AssemblyOutcome { NotPtx, Ported, Unported };

struct AssemblyResult {
  AssemblyOutcome outcome;
  std::size_t last;  // index of the closing bracket's token
};

/// Ports the asm statement whose keyword is token `index`, or reports its PTX. Assembly of the host
/// (x86, ARM) is none of ours: NotPtx.
AssemblyResult portAssembly(Cursor& cursor, std::size_t index);

}  // namespace musashim::translator
