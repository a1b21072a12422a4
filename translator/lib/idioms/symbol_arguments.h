#pragma once

// Symbols that are given by their names in quotes, as CUDA took them before version 5.

#include <cstddef>
#include <string_view>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

/// Reports the text that the call at token `index`, of the API's function `name`, is given for a symbol.
void checkSymbolArgument(Cursor& cursor, std::size_t index, std::string_view name);

}  // namespace musashim::translator
