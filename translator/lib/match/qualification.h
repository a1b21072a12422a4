#pragma once

// Whether a :: begins a name, as in `static ::cudaError_t e`, or stands behind its qualifier.

#include <cstddef>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

/// Is the :: at token `scope` the global one?
bool isGlobalScope(const Cursor& cursor, std::size_t scope);

}  // namespace musashim::translator
