#include "translator/lib/ptx/macro_arguments.h"

#include <algorithm>

namespace musashim::translator {
namespace {

constexpr std::size_t kMostTokens = 4096;  // of a definition or a use
constexpr std::size_t kMostArguments = 16;
constexpr int kDeepest = 4;  // macros that hand on a parameter

/// The token of the macro's name; 0 outside of definitions of macros with parameters.
std::size_t definitionAround(const Cursor& cursor, std::size_t index) {
  for (std::size_t count = 0; count < kMostTokens; ++count, --index) {
    if (cursor.at(index).kind == TokenKind::DirectiveEnd) return 0;  // also before the first token
    if (cursor.at(index).kind != TokenKind::Directive) continue;
    const bool defines = cursor.bytes(index + 1) == "define" && cursor.isMark(index + 3, '(') &&
                         cursor.at(index + 2).end == cursor.at(index + 3).begin;
    return defines ? index + 2 : 0;
  }
  return 0;
}

/// Which of the macro's parameters `word` is.
std::optional<std::size_t> positionOf(const Cursor& cursor, std::size_t name, std::string_view word) {
  std::size_t position = 0;
  for (std::size_t i = name + 2; i < cursor.tokens.size() && !cursor.isMark(i, ')'); ++i) {
    if (cursor.isMark(i, ',')) ++position;
    if (cursor.isWord(i) && cursor.bytes(i) == word) return position;
  }
  return std::nullopt;
}

/// The tokens of argument `position` behind the bracket at `open`: from the first up to, not with, the last.
std::optional<std::pair<std::size_t, std::size_t>> argumentAt(const Cursor& cursor, std::size_t open,
                                                              std::size_t position) {
  int depth = 0;
  std::size_t first = open + 1;
  for (std::size_t i = open; i < std::min(cursor.tokens.size(), open + kMostTokens); ++i) {
    if (cursor.isMark(i, '(')) ++depth;
    const bool ends = cursor.isMark(i, ')') && --depth == 0;
    if (!ends && !(depth == 1 && cursor.isMark(i, ','))) continue;
    if (position-- == 0) return std::pair(first, i);
    if (ends) break;
    first = i + 1;
  }
  return std::nullopt;
}

/// False if a use cannot be read.
bool collect(const Cursor& cursor, std::size_t index, std::string_view parameter, int depth,
             std::vector<std::string>& found) {
  const std::size_t name = definitionAround(cursor, index);
  const auto position = name == 0 ? std::nullopt : positionOf(cursor, name, parameter);
  if (!position || depth == 0) return false;
  for (std::size_t i = 0; i + 1 < cursor.tokens.size(); ++i) {
    if (i == name || !cursor.isWord(i) || cursor.bytes(i) != cursor.bytes(name)) continue;
    if (!cursor.isMark(i + 1, '(')) continue;
    if (cursor.at(i - 2).kind == TokenKind::Directive) return false;  // a second definition
    const auto argument = argumentAt(cursor, i + 1, *position);
    if (!argument || argument->first == argument->second) return false;
    const std::string_view text =
        cursor.text.substr(cursor.at(argument->first).begin,
                           cursor.at(argument->second - 1).end - cursor.at(argument->first).begin);
    if (argument->second - argument->first == 1 && isMacroParameter(cursor, i, text)) {
      if (!collect(cursor, i, text, depth - 1, found)) return false;
    } else if (std::find(found.begin(), found.end(), text) == found.end()) {
      found.emplace_back(text);
    }
  }
  return found.size() <= kMostArguments;
}

}  // namespace

bool isMacroParameter(const Cursor& cursor, std::size_t index, std::string_view word) {
  const std::size_t name = definitionAround(cursor, index);
  return name != 0 && positionOf(cursor, name, word).has_value();
}

std::vector<std::string> macroArguments(const Cursor& cursor, std::size_t index, std::string_view parameter) {
  std::vector<std::string> found;
  if (!collect(cursor, index, parameter, kDeepest, found)) found.clear();
  return found;
}

}  // namespace musashim::translator
