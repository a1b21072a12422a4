#pragma once

// An asm statement whose text an #if makes of two: each is ported, and the #if stands between the results.

#include <cstddef>
#include <optional>
#include <string>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

struct CutAssembly {
  std::string text;  // in place of the statement
  std::size_t last;  // its closing bracket
};

/// Nothing if the statement at token `index` is cut otherwise, or one of the two cannot be ported.
std::optional<CutAssembly> portCutAssembly(const Cursor& cursor, std::size_t index);

}  // namespace musashim::translator
