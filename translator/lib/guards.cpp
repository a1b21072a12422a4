// Comparisons are turned into "at least N" or "below N", because that is what the level tables answer:
//   A >= n, n <= A : at least n        A < n, n > A : below n
//   A > n, n < A   : at least n + 1    A <= n, n >= A : below n + 1
// and are written back with >= and <.

#include "translator/lib/guards.h"

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

std::optional<Comparison> comparisonAt(const Cursor& cursor, std::size_t index) {
  const std::string_view after = signAt(cursor, index + 1);
  if (isComparisonSign(after)) {
    const Token& sign = cursor.at(index + 1);
    return Comparison{after, sign.begin, sign.begin + static_cast<std::uint32_t>(after.size()),
                      index + 1 + after.size(), true};
  }
  for (const std::size_t length : {std::size_t{2}, std::size_t{1}}) {
    if (index < length + 1) continue;
    const std::string_view before = signAt(cursor, index - length);
    if (before.size() != length || !isComparisonSign(before)) continue;
    const Token& sign = cursor.at(index - length);
    return Comparison{mirrored(before), sign.begin, sign.begin + static_cast<std::uint32_t>(length),
                      index - length - 1, false};
  }
  return std::nullopt;
}

bool isArithmetic(const Cursor& cursor, std::size_t index) {
  if (cursor.at(index).kind != TokenKind::Punctuator) return false;
  static constexpr std::string_view kOperators = "+-*/%";
  return kOperators.find(cursor.at(index).mark) != std::string_view::npos;
}

/// A plain decimal literal that is the whole other side of the comparison.
std::optional<long> literalAt(const Cursor& cursor, const Comparison& comparison) {
  const Token& token = cursor.at(comparison.number);
  if (token.kind != TokenKind::Number) return std::nullopt;
  if (isArithmetic(cursor, comparison.nameFirst ? comparison.number + 1 : comparison.number - 1))
    return std::nullopt;
  std::string digits;
  for (const char c : bytesOf(token, cursor.text)) {
    if (c != '\'') digits += c;
  }
  while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
    digits.pop_back();
  long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() ||
      (digits.size() > 1 && digits[0] == '0')) {
    return std::nullopt;
  }
  return value;
}

void leave(Cursor& cursor, std::size_t index, const KnownName& name, const Advice& advice) {
  cursor.report(FindingKind::Unported, cursor.at(index), name.name, "guards", advice);
}

void mapComparison(Cursor& cursor, std::size_t index, const KnownName& name, const Comparison& comparison,
                   long number) {
  const GuardKind kind = name.kind == NameKind::Architecture ? GuardKind::Architecture : GuardKind::Version;
  const bool exact = comparison.sign == "==" || comparison.sign == "!=";
  if (exact && number != 0) return leave(cursor, index, name, guardExact());
  const bool above = comparison.sign == ">" || comparison.sign == "<=";
  const GuardLevel level = cursor.lexicon.mapAtLeast(kind, above && number != 0 ? number + 1 : number);
  if (!level.mapped) return leave(cursor, index, name, level.advice);
  cursor.rename(cursor.at(index), name.target);
  cursor.found(FindingKind::Guard, cursor.at(index), name.name, "guards");
  if (level.number == number) return;
  const std::string_view sign = above ? (comparison.sign == ">" ? ">=" : "<") : comparison.sign;
  const std::string_view written = comparison.nameFirst ? sign : mirrored(sign);
  if (written != cursor.text.substr(comparison.signBegin, comparison.signEnd - comparison.signBegin)) {
    cursor.edit(comparison.signBegin, comparison.signEnd, std::string(written));
  }
  const Token& literal = cursor.at(comparison.number);
  cursor.edit(literal.begin, literal.end, std::to_string(level.number));
}

bool isDefinedTest(const Cursor& cursor, std::size_t index) {
  const std::size_t before = cursor.isMark(index - 1, '(') ? index - 2 : index - 1;
  const std::string_view word = cursor.bytes(before);
  return cursor.isWord(before) &&
         (word == "defined" || word == "ifdef" || word == "ifndef" || word == "undef");
}

}  // namespace

void portGuard(Cursor& cursor, std::size_t index, const KnownName& name, bool inCondition) {
  if (const auto comparison = comparisonAt(cursor, index)) {
    const auto number = literalAt(cursor, *comparison);
    if (!number || isArithmetic(cursor, comparison->nameFirst ? index - 1 : index + 1)) {
      return leave(cursor, index, name, guardOpaque());
    }
    return mapComparison(cursor, index, name, *comparison, *number);
  }
  const Token& token = cursor.at(index);
  if (isDefinedTest(cursor, index)) {
    cursor.rename(token, name.target);
    return cursor.found(FindingKind::Guard, token, name.name, "guards");
  }
  const bool alone = !isArithmetic(cursor, index + 1) && !isArithmetic(cursor, index - 1);
  if (inCondition && !alone) return leave(cursor, index, name, guardOpaque());
  cursor.rename(token, name.target);
  if (inCondition) return cursor.found(FindingKind::Guard, token, name.name, "guards");
  if (!cursor.lexicon.toMusa()) return cursor.found(FindingKind::Guard, token, name.name, "guards");
  cursor.report(FindingKind::Note, token, name.name, "guards", guardEncoding());
}

void keepGuardOfAssembly(Cursor& cursor, std::size_t index, const KnownName& name) {
  cursor.report(FindingKind::Note, cursor.at(index), name.name, "guards", guardPtx());
}

}  // namespace musashim::translator
