#pragma once

// Macros of a project that stand for text in inline assembly: #define LOAD_OP "ld.global.nc.u32".

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/lex/token.h"

namespace musashim::translator {

/// One definition: literals and names of other macros, as they are written.
using TextPieces = std::vector<std::string>;
/// All that differ of each name.
using TextMacros = std::map<std::string, std::vector<TextPieces>, std::less<>>;

/// One of them, of one file.
struct TextMacro {
  std::string name;
  TextPieces pieces;
};
/// The macros without parameters that `text` defines as nothing but literals and words.
std::vector<TextMacro> textMacrosOf(std::string_view text, const TokenList& tokens);

void add(const TextMacro& macro, TextMacros& macros);

/// All that a macro of a name stands for; null: there is none.
using FindTexts = std::function<const std::vector<TextPieces>*(std::string_view name)>;
/// What the macro stands for, escapes resolved; nothing if that is not known, or differs. Of the constraints
/// of pointers on 32 and 64 bits it is the latter's.
std::optional<std::string> textOf(const FindTexts& find, std::string_view name);

/// A literal's content as the compiler sees it.
std::string unescaped(std::string_view body);

}  // namespace musashim::translator
