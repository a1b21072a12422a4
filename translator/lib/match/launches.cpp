#include "translator/lib/match/launches.h"

#include <algorithm>

#include "translator/lib/lex/byte_masks.h"

namespace musashim::translator {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// The token that begins at `place`; beyond the end if none does.
std::size_t tokenAt(const Cursor& cursor, std::size_t place) {
  const Token* const found =
      std::lower_bound(cursor.tokens.begin(), cursor.tokens.end(), place,
                       [](const Token& token, std::size_t begin) { return token.begin < begin; });
  const bool exact = found != cursor.tokens.end() && found->begin == place;
  return exact ? static_cast<std::size_t>(found - cursor.tokens.begin()) : cursor.tokens.size();
}

bool touch(const Cursor& cursor, std::size_t index) {
  return cursor.at(index).end == cursor.at(index + 1).begin;
}

/// Three of `mark` from token `index` on, of which nothing but blanks may part the third from the others.
bool isBracket(const Cursor& cursor, std::size_t index, char mark) {
  if (!cursor.isMark(index, mark) || !cursor.isMark(index + 1, mark) || !cursor.isMark(index + 2, mark))
    return false;
  const std::uint32_t end = cursor.at(index + 1).end;
  const std::string_view between = cursor.text.substr(end, cursor.at(index + 2).begin - end);
  return touch(cursor, index) && between.find_first_not_of(kBlanks) == std::string_view::npos;
}

/// Where the launch whose configuration begins at token `index` closes it; beyond the end if it does not.
std::size_t closingBracket(const Cursor& cursor, std::size_t index) {
  std::size_t depth = 0;
  for (; index < cursor.tokens.size(); ++index) {
    const Token& token = cursor.at(index);
    if (token.kind == TokenKind::Directive || token.kind == TokenKind::DirectiveEnd) break;
    if (token.kind != TokenKind::Punctuator) continue;
    if (token.mark == ';' || isBracket(cursor, index, '<')) break;
    if (token.mark == '(' || token.mark == '[' || token.mark == '{') ++depth;
    if (token.mark == ')' || token.mark == ']' || token.mark == '}') {
      if (depth == 0) break;
      --depth;
    }
    if (depth == 0 && isBracket(cursor, index, '>') && cursor.isMark(index + 3, '(')) return index;
  }
  return cursor.tokens.size();
}

/// The token behind the bracket that token `index` opens; `end` if it stays open.
std::size_t behindBrackets(const Cursor& cursor, std::size_t index, std::size_t end) {
  std::size_t depth = 0;
  for (; index < end; ++index) {
    if (cursor.at(index).kind != TokenKind::Punctuator) continue;
    const char mark = cursor.at(index).mark;
    if (mark == '(' || mark == '[' || mark == '{') ++depth;
    if ((mark == ')' || mark == ']' || mark == '}') && --depth == 0) return index + 1;
  }
  return end;
}

/// Of the configuration in tokens `first` to `end`, the sizes of grid and block that are written as {x, y,
/// z}.
void nameSizes(Cursor& cursor, std::size_t first, std::size_t end) {
  for (int number = 0; number < 2 && first < end; ++number) {
    std::size_t after = first;
    while (after < end && !cursor.isMark(after, ',')) {
      const bool opens = cursor.isMark(after, '(') || cursor.isMark(after, '[') || cursor.isMark(after, '{');
      after = opens ? behindBrackets(cursor, after, end) : after + 1;
    }
    if (cursor.isMark(first, '{') && cursor.isMark(after - 1, '}') &&
        behindBrackets(cursor, first, end) == after) {
      cursor.edit(cursor.at(first).begin, cursor.at(first).end, "dim3(");
      cursor.edit(cursor.at(after - 1).begin, cursor.at(after - 1).end, ")");
      cursor.found(FindingKind::Launch, cursor.at(first), "{");
    }
    first = after + 1;
  }
}

void closeUp(Cursor& cursor, std::size_t index) {
  if (touch(cursor, index + 1)) return;
  const Token whole{cursor.at(index).begin, cursor.at(index + 2).end, TokenKind::Punctuator, 0, false};
  cursor.edit(whole.begin, whole.end, std::string(3, cursor.at(index).mark));
  cursor.found(FindingKind::Launch, whole, bytesOf(whole, cursor.text));
}

}  // namespace

bool mayHoldLaunch(std::string_view text) {
  for (std::size_t at = findBytes(text, '<', '<'); at != std::string_view::npos;
       at = findBytes(text, '<', '<', at + 1)) {
    const std::size_t third = text.find_first_not_of(kBlanks, at + 2);
    if (third != std::string_view::npos && text[third] == '<') return true;
  }
  return false;
}

void portLaunches(Cursor& cursor) {
  if (!cursor.lexicon.toMusa() || !mayHoldLaunch(cursor.text)) return;
  std::size_t at = 0;
  while ((at = findBytes(cursor.text, '<', '<', at)) != std::string_view::npos) {
    const std::size_t open = tokenAt(cursor, at++);
    if (!isBracket(cursor, open, '<')) continue;
    const std::size_t close = closingBracket(cursor, open + 3);
    if (close == cursor.tokens.size()) continue;
    closeUp(cursor, open);
    nameSizes(cursor, open + 3, close);
    closeUp(cursor, close);
    at = cursor.at(open + 2).end;
  }
}

}  // namespace musashim::translator
