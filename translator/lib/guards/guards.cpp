// Comparisons are turned into "at least N" or "below N", because that is what the level tables answer:
//   A >= n, n <= A : at least n        A < n, n > A : below n
//   A > n, n < A   : at least n + 1    A <= n, n >= A : below n + 1
// and are written back with >= and <.

#include "translator/lib/guards/guards.h"

#include <optional>

#include "translator/lib/guards/comparison.h"
#include "translator/lib/guards/in_code.h"

namespace musashim::translator {
namespace {

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

/// A comparison with a literal and nothing else.
struct WholeNumber {
  Comparison comparison;
  long value;
};

std::optional<WholeNumber> wholeNumber(const Cursor& cursor, const Operand& operand) {
  auto comparison = comparisonAt(cursor, operand);
  if (!comparison) return std::nullopt;
  const auto value = literalOf(cursor, *comparison);
  if (!value || isArithmetic(cursor, comparison->nameFirst ? operand.first - 1 : operand.last + 1))
    return std::nullopt;
  return WholeNumber{*comparison, *value};
}

/// Why a 0 takes the place of a version in plain code; nothing if none does.
std::optional<Advice> obstacleInCode(const Cursor& cursor, std::size_t index, const KnownName& name) {
  const bool ofLibrary = name.kind == NameKind::LibraryVersion;
  if (const auto number = wholeNumber(cursor, withBrackets(cursor, index))) {
    if (ofLibrary) return cursor.lexicon.toMusa() ? std::optional(guardLibrary()) : std::nullopt;
    const GuardLevel level = levelOf(cursor, name, number->comparison, number->value);
    return level.mapped ? std::nullopt : std::optional(level.advice);
  }
  if (!cursor.lexicon.toMusa() || !meetsNvidiasNumber(cursor, index)) return std::nullopt;
  return ofLibrary ? guardLibrary() : guardOpaque();
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
  const auto comparison = comparisonAt(cursor, operand);
  if (isDefinedTest(cursor, index)) return std::nullopt;
  if (!inCondition && isHeaderVersion(name.kind)) return obstacleInCode(cursor, index, name);
  if (ofLibrary) return comparison && cursor.lexicon.toMusa() ? std::optional(guardLibrary()) : std::nullopt;
  if (comparison) {
    const auto number = wholeNumber(cursor, operand);
    if (!number) return guardOpaque();
    const GuardLevel level = levelOf(cursor, name, *comparison, number->value);
    return level.mapped ? std::nullopt : std::optional(level.advice);
  }
  if (!inCondition) return name.kind == NameKind::Release ? std::optional(guardRelease()) : std::nullopt;
  const bool alone = endsTerm(cursor, operand.last + 1, 1) && endsTerm(cursor, operand.first - 1, SIZE_MAX);
  return alone ? std::nullopt : std::optional(guardOpaque());
}

bool isBeyondMusa(const Cursor& cursor, std::size_t index, const KnownName& name) {
  if (name.kind == NameKind::LibraryVersion || !cursor.lexicon.toMusa()) return false;
  const auto number = wholeNumber(cursor, withBrackets(cursor, index));
  if (!number || number->comparison.sign == "==" || number->comparison.sign == "!=") return false;
  return !levelOf(cursor, name, number->comparison, number->value).mapped;
}

bool isComparedWithLiteral(const Cursor& cursor, std::size_t index) {
  return wholeNumber(cursor, withBrackets(cursor, index)).has_value();
}

void portGuard(Cursor& cursor, std::size_t index, const KnownName& name, bool inCondition) {
  if (const auto obstacle = guardObstacle(cursor, index, name, inCondition)) {
    if (!inCondition && isHeaderVersion(name.kind) && cursor.lexicon.toMusa())
      return zeroGuard(cursor, index, name, *obstacle);
    return cursor.report(FindingKind::Unported, cursor.at(index), name.name, "guards", *obstacle);
  }
  const Token& token = cursor.at(index);
  if (name.kind == NameKind::LibraryVersion) {
    cursor.rename(token, name.target);
    return cursor.found(FindingKind::Name, token, name.name, name.library);
  }
  if (const auto number = wholeNumber(cursor, withBrackets(cursor, index)))
    return mapComparison(cursor, index, name, number->comparison, number->value);
  const bool asked = isDefinedTest(cursor, index);
  cursor.rename(token, asked && name.kind == NameKind::Release ? compilerMacro(cursor) : name.target);
  if (asked || inCondition || !cursor.lexicon.toMusa())
    return cursor.found(FindingKind::Guard, token, name.name, "guards");
  cursor.report(FindingKind::Note, token, name.name, "guards", guardEncoding());
}

void zeroGuard(Cursor& cursor, std::size_t index, const KnownName& name, const Advice& advice) {
  writeZero(cursor, index, name.name);
  cursor.report(FindingKind::Unported, cursor.at(index), name.name, "guards", advice);
}

void keepGuardOfAssembly(Cursor& cursor, std::size_t index, const KnownName& name) {
  cursor.report(FindingKind::Note, cursor.at(index), name.name, "guards", guardPtx());
}

}  // namespace musashim::translator
