// Comparisons are turned into "at least N" or "below N", because that is what the level tables answer:
//   A >= n, n <= A : at least n        A < n, n > A : below n
//   A > n, n < A   : at least n + 1    A <= n, n >= A : below n + 1
// and are written back with >= and <.

#include "translator/lib/guards/guards.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace musashim::translator {
namespace {

struct Comparison {
  std::string_view sign;  // as if the name stood on the left
  std::uint32_t signBegin = 0;
  std::uint32_t signEnd = 0;
  std::size_t number = 0;  // token index
  bool nameFirst = true;
};

std::string_view mirrored(std::string_view sign) {
  if (sign == "<") return ">";
  if (sign == ">") return "<";
  if (sign == "<=") return ">=";
  if (sign == ">=") return "<=";
  return sign;
}

bool isComparisonSign(std::string_view sign) {
  return sign == "<" || sign == ">" || sign == "<=" || sign == ">=" || sign == "==" || sign == "!=";
}

/// The operator that starts at token `index`: all punctuators that touch each other.
std::string_view signAt(const Cursor& cursor, std::size_t index) {
  std::uint32_t end = cursor.at(index).begin;
  for (std::size_t i = index; cursor.at(i).kind == TokenKind::Punctuator && cursor.at(i).begin == end; ++i) {
    static constexpr std::string_view kSigns = "<>=!";
    if (kSigns.find(cursor.at(i).mark) == std::string_view::npos) break;
    end = cursor.at(i).end;
  }
  return cursor.text.substr(cursor.at(index).begin, end - cursor.at(index).begin);
}

/// Tokens `first` to `last`.
struct Operand {
  std::size_t first;
  std::size_t last;
};

/// Does the bracket at token `open` hold arguments, rather than an expression?
bool opensCall(const Cursor& cursor, std::size_t open) {
  // static_cast<int>(x), but not 800 >(x)
  if (cursor.isMark(open - 1, '>')) {
    return cursor.at(open - 1).end == cursor.at(open).begin && cursor.isWord(open - 2);
  }
  static constexpr std::array<std::string_view, 6> kWords = {"if", "elif", "while", "return", "and", "or"};
  return cursor.isWord(open - 1) &&
         std::find(kWords.begin(), kWords.end(), cursor.bytes(open - 1)) == kWords.end();
}

/// The token with all brackets that hold nothing else.
Operand withBrackets(const Cursor& cursor, std::size_t index) {
  Operand operand{index, index};
  while (cursor.isMark(operand.first - 1, '(') && cursor.isMark(operand.last + 1, ')') &&
         !opensCall(cursor, operand.first - 1)) {
    --operand.first;
    ++operand.last;
  }
  return operand;
}

std::optional<Comparison> comparisonAt(const Cursor& cursor, const Operand& name) {
  const std::string_view after = signAt(cursor, name.last + 1);
  if (isComparisonSign(after)) {
    const Token& sign = cursor.at(name.last + 1);
    return Comparison{after, sign.begin, sign.begin + static_cast<std::uint32_t>(after.size()),
                      name.last + 1 + after.size(), true};
  }
  for (const std::size_t length : {std::size_t{2}, std::size_t{1}}) {
    if (name.first < length + 1) continue;
    const std::string_view before = signAt(cursor, name.first - length);
    if (before.size() != length || !isComparisonSign(before)) continue;
    const Token& sign = cursor.at(name.first - length);
    return Comparison{mirrored(before), sign.begin, sign.begin + static_cast<std::uint32_t>(length),
                      name.first - length - 1, false};
  }
  return std::nullopt;
}

bool isArithmetic(const Cursor& cursor, std::size_t index) {
  if (cursor.at(index).kind != TokenKind::Punctuator) return false;
  static constexpr std::string_view kOperators = "+-*/%";
  return kOperators.find(cursor.at(index).mark) != std::string_view::npos;
}

/// Does an operand of && or || end before token `index`, going by `step`?
bool endsTerm(const Cursor& cursor, std::size_t index, std::size_t step) {
  const Token& token = cursor.at(index);
  if (token.kind == TokenKind::DirectiveEnd) return true;
  if (token.kind == TokenKind::Identifier) return cursor.at(index - 1).kind == TokenKind::Directive;
  if (token.kind != TokenKind::Punctuator) return false;
  if (token.mark == '(') return !opensCall(cursor, index);
  if (token.mark == '&' || token.mark == '|') return cursor.isMark(index + step, token.mark);
  return std::string_view("!)?:").find(token.mark) != std::string_view::npos;
}

/// 800, 8'00, 11030L, 0x2af8
std::optional<long> valueOf(std::string_view literal) {
  std::string digits;
  std::copy_if(literal.begin(), literal.end(), std::back_inserter(digits), [](char c) { return c != '\''; });
  while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
    digits.pop_back();
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (digits.size() > 1 && digits[0] == '0' && !hexadecimal) return std::nullopt;
  if (hexadecimal) digits.erase(0, 2);
  long value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

/// The literal that is the whole other side of the comparison, whose token is then known.
std::optional<long> literalOf(const Cursor& cursor, Comparison& comparison) {
  const std::size_t outward = comparison.nameFirst ? 1 : SIZE_MAX;
  std::size_t inner = comparison.number;
  while (cursor.isMark(inner, comparison.nameFirst ? '(' : ')')) inner += outward;
  if (cursor.at(inner).kind != TokenKind::Number) return std::nullopt;
  const Operand operand = withBrackets(cursor, inner);
  if (comparison.number < operand.first || comparison.number > operand.last) return std::nullopt;
  comparison.number = inner;
  if (isArithmetic(cursor, comparison.nameFirst ? operand.last + 1 : operand.first - 1)) return std::nullopt;
  return valueOf(cursor.bytes(inner));
}

GuardKind guardKindOf(NameKind kind) {
  if (kind == NameKind::Release) return GuardKind::Release;
  return kind == NameKind::Architecture ? GuardKind::Architecture : GuardKind::Version;
}

/// What the tables make of the comparison's number.
GuardLevel levelOf(const Cursor& cursor, const KnownName& name, const Comparison& comparison, long number) {
  const bool exact = comparison.sign == "==" || comparison.sign == "!=";
  if (exact && number != 0) return {false, 0, guardExact()};
  const bool above = comparison.sign == ">" || comparison.sign == "<=";
  return cursor.lexicon.mapAtLeast(guardKindOf(name.kind), above && number != 0 ? number + 1 : number);
}

void mapComparison(Cursor& cursor, std::size_t index, const KnownName& name, const Comparison& comparison,
                   long number) {
  const GuardLevel level = levelOf(cursor, name, comparison, number);
  cursor.rename(cursor.at(index), name.target);
  cursor.found(FindingKind::Guard, cursor.at(index), name.name, "guards");
  if (level.number == number) return;
  const bool above = comparison.sign == ">" || comparison.sign == "<=";
  const std::string_view sign = above ? (comparison.sign == ">" ? ">=" : "<") : comparison.sign;
  const std::string_view written = comparison.nameFirst ? sign : mirrored(sign);
  if (written != cursor.text.substr(comparison.signBegin, comparison.signEnd - comparison.signBegin)) {
    cursor.edit(comparison.signBegin, comparison.signEnd, std::string(written));
  }
  const Token& literal = cursor.at(comparison.number);
  cursor.edit(literal.begin, literal.end, std::to_string(level.number));
}

/// What says that the vendor's compiler is at work, as the release of nvcc does where nothing but its being
/// there is asked for.
std::string compilerMacro(const Cursor& cursor) {
  KnownName macro;
  cursor.lexicon.find("__CUDACC__", macro);
  return std::string(macro.target);
}

}  // namespace

bool isDefinedTest(const Cursor& cursor, std::size_t index) {
  const std::size_t before = cursor.isMark(index - 1, '(') ? index - 2 : index - 1;
  const std::string_view word = cursor.bytes(before);
  return cursor.isWord(before) &&
         (word == "defined" || word == "ifdef" || word == "ifndef" || word == "undef");
}

std::optional<Advice> guardObstacle(const Cursor& cursor, std::size_t index, const KnownName& name,
                                    bool inCondition) {
  const Operand operand = withBrackets(cursor, index);
  const bool ofLibrary = name.kind == NameKind::LibraryVersion;
  auto comparison = comparisonAt(cursor, operand);
  if (ofLibrary) return comparison && cursor.lexicon.toMusa() ? std::optional(guardLibrary()) : std::nullopt;
  if (comparison) {
    const auto number = literalOf(cursor, *comparison);
    if (!number || isArithmetic(cursor, comparison->nameFirst ? operand.first - 1 : operand.last + 1))
      return guardOpaque();
    const GuardLevel level = levelOf(cursor, name, *comparison, *number);
    return level.mapped ? std::nullopt : std::optional(level.advice);
  }
  if (isDefinedTest(cursor, index)) return std::nullopt;
  if (!inCondition) return name.kind == NameKind::Release ? std::optional(guardRelease()) : std::nullopt;
  const bool alone = endsTerm(cursor, operand.last + 1, 1) && endsTerm(cursor, operand.first - 1, SIZE_MAX);
  return alone ? std::nullopt : std::optional(guardOpaque());
}

bool isBeyondMusa(const Cursor& cursor, std::size_t index, const KnownName& name) {
  const Operand operand = withBrackets(cursor, index);
  auto comparison = comparisonAt(cursor, operand);
  if (!comparison || name.kind == NameKind::LibraryVersion || !cursor.lexicon.toMusa()) return false;
  if (comparison->sign == "==" || comparison->sign == "!=") return false;
  const auto number = literalOf(cursor, *comparison);
  if (!number || isArithmetic(cursor, comparison->nameFirst ? operand.first - 1 : operand.last + 1))
    return false;
  return !levelOf(cursor, name, *comparison, *number).mapped;
}

void portGuard(Cursor& cursor, std::size_t index, const KnownName& name, bool inCondition) {
  if (const auto obstacle = guardObstacle(cursor, index, name, inCondition))
    return cursor.report(FindingKind::Unported, cursor.at(index), name.name, "guards", *obstacle);
  const Token& token = cursor.at(index);
  if (name.kind == NameKind::LibraryVersion) {
    cursor.rename(token, name.target);
    return cursor.found(FindingKind::Name, token, name.name, name.library);
  }
  if (auto comparison = comparisonAt(cursor, withBrackets(cursor, index))) {
    if (const auto number = literalOf(cursor, *comparison))
      mapComparison(cursor, index, name, *comparison, *number);
    return;
  }
  const bool asked = isDefinedTest(cursor, index);
  cursor.rename(token, asked && name.kind == NameKind::Release ? compilerMacro(cursor) : name.target);
  if (asked || inCondition || !cursor.lexicon.toMusa())
    return cursor.found(FindingKind::Guard, token, name.name, "guards");
  cursor.report(FindingKind::Note, token, name.name, "guards", guardEncoding());
}

void keepGuardOfAssembly(Cursor& cursor, std::size_t index, const KnownName& name) {
  cursor.report(FindingKind::Note, cursor.at(index), name.name, "guards", guardPtx());
}

}  // namespace musashim::translator
