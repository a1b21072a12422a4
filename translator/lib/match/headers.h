#pragma once

// Names of headers, in #include and in __has_include.

#include <cstddef>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

/// Ports the name of a header, brackets included, in an #include.
void portHeader(Cursor& cursor, const Token& token);

/// Ports the path in a directive that computes an #include: `#define CONFIG sub/config.cuh`, `#define API
/// <cuda.h>`, `#include STRING(sub/config.cuh)`. `index`: of its #.
void portComputedHeader(Cursor& cursor, std::size_t index);

/// Ports the name that the __has_include at `index` asks for. The token behind it; `index + 1` if nothing
/// was understood. Without `toolkits` only files of the project get their new names.
std::size_t portHasInclude(Cursor& cursor, std::size_t index, bool toolkits);

}  // namespace musashim::translator
