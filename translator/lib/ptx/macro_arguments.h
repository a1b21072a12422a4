#pragma once

// What a macro's parameter stands for where the macro is used: `asm("ld." #mod ".u32 ...")` of LOAD(name,
// mod) is as many instructions as there are uses of LOAD with different words.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

/// Whether `word` is a parameter of the macro whose definition token `index` is in.
bool isMacroParameter(const Cursor& cursor, std::size_t index, std::string_view word);

/// All that the parameter is in uses of the macro in this source, also by way of other macros' parameters;
/// each once, as it is written. Nothing if there is no use, or if one cannot be read.
std::vector<std::string> macroArguments(const Cursor& cursor, std::size_t index, std::string_view parameter);

}  // namespace musashim::translator
