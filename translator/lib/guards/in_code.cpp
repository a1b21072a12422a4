#include "translator/lib/guards/in_code.h"

#include <algorithm>
#include <array>
#include <string>

#include "translator/lib/guards/guards.h"

namespace musashim::translator {
namespace {

/// Where the other side of a comparison ends.
bool endsSide(const Cursor& cursor, std::size_t index) {
  const Token& token = cursor.at(index);
  if (token.kind == TokenKind::Directive || token.kind == TokenKind::DirectiveEnd) return true;
  if (token.kind == TokenKind::Punctuator)
    return std::string_view("<>=!&|?:,;{}").find(token.mark) != std::string_view::npos;
  static constexpr std::array<std::string_view, 7> kWords = {"return", "case", "and",  "or",
                                                             "not",    "else", "throw"};
  return cursor.isWord(index) && std::find(kWords.begin(), kWords.end(), cursor.bytes(index)) != kWords.end();
}

/// The tokens of the other side.
Operand otherSide(const Cursor& cursor, const Comparison& comparison) {
  const std::size_t step = comparison.nameFirst ? 1 : SIZE_MAX;
  int depth = 0;
  std::size_t i = comparison.number;
  for (; depth > 0 || !endsSide(cursor, i); i += step) {
    const bool open = cursor.isMark(i, '(') || cursor.isMark(i, '[');
    const bool close = cursor.isMark(i, ')') || cursor.isMark(i, ']');
    if (cursor.at(i).kind == TokenKind::DirectiveEnd) break;
    if (open || close) depth += open == comparison.nameFirst ? 1 : -1;
    if (depth < 0) break;
  }
  return comparison.nameFirst ? Operand{comparison.number, i - 1} : Operand{i + 1, comparison.number};
}

/// Spelled as macros, template parameters and constants are: NEEDED, N, kNeeded.
bool isConstant(std::string_view word) {
  if (word.size() > 1 && word[0] == 'k' && word[1] >= 'A' && word[1] <= 'Z') return true;
  return std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// The # of the #define that holds the token; SIZE_MAX if none does.
std::size_t defineOf(const Cursor& cursor, std::size_t index) {
  constexpr std::size_t kLongest = 4096;
  for (std::size_t i = index; i < cursor.tokens.size() && index - i < kLongest; --i) {
    if (cursor.at(i).kind == TokenKind::DirectiveEnd) break;
    if (cursor.at(i).kind == TokenKind::Directive && cursor.bytes(i + 1) == "define") return i;
  }
  return SIZE_MAX;
}

/// The place of `word` among the parameters of the macro defined at `define`.
std::optional<std::size_t> parameterOf(const Cursor& cursor, std::size_t define, std::string_view word) {
  const std::size_t open = define + 3;
  if (!cursor.isMark(open, '(') || cursor.at(open).begin != cursor.at(define + 2).end) return std::nullopt;
  std::size_t place = 0;
  for (std::size_t i = open + 1; i < cursor.tokens.size() && !cursor.isMark(i, ')'); ++i) {
    if (cursor.at(i).kind == TokenKind::DirectiveEnd) break;
    if (cursor.isMark(i, ',')) ++place;
    if (cursor.isWord(i) && cursor.bytes(i) == word) return place;
  }
  return std::nullopt;
}

/// What the call whose bracket is at `open` gives for a parameter: has it a name that is no constant's?
bool givesVariable(const Cursor& cursor, std::size_t open, std::size_t place) {
  std::size_t at = 0;
  int depth = 0;
  for (std::size_t i = open; i < cursor.tokens.size(); ++i) {
    if (cursor.at(i).kind == TokenKind::DirectiveEnd) return false;
    if (cursor.isMark(i, '(')) ++depth;
    if (cursor.isMark(i, ')') && --depth == 0) return false;
    if (cursor.isMark(i, ',') && depth == 1) ++at;
    if (at == place && cursor.isWord(i) && !isConstant(cursor.bytes(i))) return true;
  }
  return false;
}

/// Is a parameter of the macro, wherever the file uses it, no number that the program asked for at run time?
/// A condition of #if knows none.
bool takesNumbers(const Cursor& cursor, std::size_t define, std::size_t place) {
  const std::string_view macro = cursor.bytes(define + 2);
  bool variable = false, condition = false;
  for (std::size_t i = define + 4; i < cursor.tokens.size(); ++i) {
    if (cursor.at(i).kind == TokenKind::Directive)
      condition = cursor.bytes(i + 1) == "if" || cursor.bytes(i + 1) == "elif";
    if (cursor.at(i).kind == TokenKind::DirectiveEnd) condition = false;
    if (!cursor.isWord(i) || cursor.bytes(i) != macro || !cursor.isMark(i + 1, '(')) continue;
    if (condition) return true;
    variable = variable || givesVariable(cursor, i + 1, place);
  }
  return !variable;
}

/// Is all of `side` known when the program is compiled, and no version of MUSA's? `version`: the name that is
/// compared.
bool isNumber(const Cursor& cursor, const Operand& side, std::size_t version) {
  const std::size_t define = defineOf(cursor, version);
  for (std::size_t i = side.first; i <= side.last; ++i) {
    if (!cursor.isWord(i) || i == version) continue;
    const std::string_view word = cursor.bytes(i);
    KnownName other;
    if (cursor.lexicon.find(word, other) && isHeaderVersion(other.kind)) return false;
    const auto place = define == SIZE_MAX ? std::nullopt : parameterOf(cursor, define, word);
    if (place ? !takesNumbers(cursor, define, *place) : !isConstant(word)) return false;
  }
  return true;
}

/// Are the two tokens part of one condition: `A >= 11000 && B < 12000`?
bool areJoined(const Cursor& cursor, std::size_t left, std::size_t right) {
  constexpr std::size_t kLongest = 512;
  bool joined = false;
  for (std::size_t i = left + 1; i < right; ++i) {
    const Token& token = cursor.at(i);
    if (token.kind == TokenKind::Directive || token.kind == TokenKind::DirectiveEnd || i - left > kLongest)
      return false;
    if (cursor.isWord(i) && cursor.bytes(i) == "return") return false;
    if (token.kind != TokenKind::Punctuator) continue;
    if (std::string_view(";{},?").find(token.mark) != std::string_view::npos) return false;
    joined = joined || ((token.mark == '&' || token.mark == '|') && cursor.isMark(i + 1, token.mark));
  }
  return joined;
}

constexpr std::string_view kZero = "0/*";
constexpr std::string_view kZeroEnd = "*/";

}  // namespace

bool meetsNvidiasNumber(const Cursor& cursor, std::size_t index) {
  const Operand name = withBrackets(cursor, index), own = withArithmetic(cursor, index);
  const auto comparison = comparisonAt(cursor, own);
  if (!comparison) return false;
  // A 0 there would be an error of its own.
  if (cursor.isMark(name.first - 1, '/') || cursor.isMark(name.first - 1, '%')) return false;
  const Operand other = otherSide(cursor, *comparison);
  return other.first <= other.last && isNumber(cursor, own, index) && isNumber(cursor, other, index);
}

void portVersionsInCode(Cursor& cursor, const std::vector<VersionUse>& uses) {
  for (std::size_t first = 0, end = 0; first < uses.size(); first = end) {
    for (end = first + 1; end < uses.size() && areJoined(cursor, uses[end - 1].index, uses[end].index);)
      ++end;
    const auto stays = [&](const VersionUse& use) {
      return guardObstacle(cursor, use.index, use.name, false) && !isBeyondMusa(cursor, use.index, use.name);
    };
    const bool zeros = end > first + 1 && cursor.lexicon.toMusa() &&
                       std::any_of(uses.begin() + first, uses.begin() + end, stays);
    for (std::size_t i = first; i < end; ++i) {
      const VersionUse& use = uses[i];
      const bool translated =
          !guardObstacle(cursor, use.index, use.name, false) && isComparedWithLiteral(cursor, use.index);
      if (zeros && translated) {
        zeroGuard(cursor, use.index, use.name, guardTogether());
      } else {
        portGuard(cursor, use.index, use.name, false);
      }
    }
  }
}

void writeZero(Cursor& cursor, std::size_t index, std::string_view name) {
  const Token& token = cursor.at(index);
  cursor.edit(token.begin, token.end, std::string(kZero) + std::string(name) + std::string(kZeroEnd));
}

std::string_view nameBesideZero(std::string_view text) {
  if (!text.starts_with(kZero.substr(1)) || !text.ends_with(kZeroEnd)) return {};
  text.remove_prefix(kZero.size() - 1);
  if (text.size() < kZeroEnd.size()) return {};
  text.remove_suffix(kZeroEnd.size());
  KnownName name;
  return findName(text, name) && isHeaderVersion(name.kind) ? text : std::string_view();
}

}  // namespace musashim::translator
