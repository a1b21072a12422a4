#include "translator/lib/guards/comparison.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace musashim::translator {
namespace {

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

/// Is the mark at `index` a sign of its own, not part of << or ->?
bool standsAlone(const Cursor& cursor, std::size_t index) {
  const auto touches = [&](std::size_t left, std::size_t right) {
    static constexpr std::string_view kSigns = "<>=!";
    return cursor.at(left).kind == TokenKind::Punctuator && cursor.at(left).end == cursor.at(right).begin &&
           kSigns.find(cursor.at(left).mark) != std::string_view::npos;
  };
  return !touches(index - 1, index);
}

/// What cannot stand between the brackets of a template's arguments, but for brackets of its own.
bool endsTemplate(const Cursor& cursor, std::size_t index) {
  const Token& token = cursor.at(index);
  if (token.kind == TokenKind::Directive || token.kind == TokenKind::DirectiveEnd) return true;
  if (token.kind != TokenKind::Punctuator) return false;
  if (token.mark == '&' || token.mark == '|') return cursor.isMark(index + 1, token.mark);
  return std::string_view(";{}?").find(token.mark) != std::string_view::npos;
}

/// Going from token `from` by `step`, is the `bracket` next of which the other one is not passed before?
bool meets(const Cursor& cursor, std::size_t from, std::size_t step, char bracket) {
  constexpr std::size_t kLongest = 512;
  const char other = bracket == '<' ? '>' : '<';
  int round = 0, angles = 0;
  for (std::size_t i = from, seen = 0; i < cursor.tokens.size() && seen < kLongest; i += step, ++seen) {
    if (endsTemplate(cursor, i)) return false;
    if (cursor.isMark(i, '(') || cursor.isMark(i, ')'))
      round += cursor.isMark(i, '(') == (step == 1) ? 1 : -1;
    if (round < 0) return false;
    if (round > 0) continue;
    // <=, >= and << are no brackets, but >> may be two.
    const bool single = !cursor.isMark(i + 1, '=') || cursor.at(i + 1).begin != cursor.at(i).end;
    if (cursor.isMark(i, other) && single) ++angles;
    if (cursor.isMark(i, bracket) && single && --angles < 0)
      return bracket == '>' || (cursor.isWord(i - 1) && standsAlone(cursor, i));
  }
  return false;
}

/// Is the < or > beside `name` one that holds a template's arguments?
bool isTemplates(const Cursor& cursor, const Operand& name) {
  return meets(cursor, name.first - 1, SIZE_MAX, '<') && meets(cursor, name.last + 1, 1, '>');
}

/// The last token of what an operator has on its right, or the first of what it has on its left: a literal,
/// a name, a call or brackets. `index` is the token beside the operator.
std::size_t endOfPrimary(const Cursor& cursor, std::size_t index, std::size_t step) {
  int depth = 0;
  for (std::size_t i = index; i < cursor.tokens.size(); i += step) {
    const Token& token = cursor.at(i);
    if (token.kind == TokenKind::Directive || token.kind == TokenKind::DirectiveEnd) return index;
    if (cursor.isMark(i, '(') || cursor.isMark(i, '[')) depth += step == 1 ? 1 : -1;
    if (cursor.isMark(i, ')') || cursor.isMark(i, ']')) depth += step == 1 ? -1 : 1;
    if (depth < 0) return index;
    if (depth > 0) continue;
    const std::size_t next = i + step;
    const bool goesOn = step == 1 ? cursor.isMark(next, '(') || cursor.isMark(next, '[')
                                  : cursor.isMark(i, '(') && opensCall(cursor, i);
    const bool member = cursor.isMark(next, '.') || cursor.isMark(next, mark::kArrow) ||
                        cursor.isMark(next, mark::kScope) || cursor.isMark(i, '.') ||
                        cursor.isMark(i, mark::kArrow) || cursor.isMark(i, mark::kScope);
    if (!goesOn && !member) return i;
  }
  return index;
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

}  // namespace

std::string_view mirrored(std::string_view sign) {
  if (sign == "<") return ">";
  if (sign == ">") return "<";
  if (sign == "<=") return ">=";
  if (sign == ">=") return "<=";
  return sign;
}

bool opensCall(const Cursor& cursor, std::size_t open) {
  // static_cast<int>(x), but not 800 >(x)
  if (cursor.isMark(open - 1, '>')) {
    return cursor.at(open - 1).end == cursor.at(open).begin && cursor.isWord(open - 2);
  }
  static constexpr std::array<std::string_view, 6> kWords = {"if", "elif", "while", "return", "and", "or"};
  return cursor.isWord(open - 1) &&
         std::find(kWords.begin(), kWords.end(), cursor.bytes(open - 1)) == kWords.end();
}

Operand withBrackets(const Cursor& cursor, std::size_t index) {
  Operand operand{index, index};
  while (cursor.isMark(operand.first - 1, '(') && cursor.isMark(operand.last + 1, ')') &&
         !opensCall(cursor, operand.first - 1)) {
    --operand.first;
    ++operand.last;
  }
  return operand;
}

Operand withArithmetic(const Cursor& cursor, std::size_t index) {
  Operand operand = withBrackets(cursor, index);
  for (;;) {
    const Operand before = operand;
    if (isArithmetic(cursor, operand.last + 1)) operand.last = endOfPrimary(cursor, operand.last + 2, 1);
    const bool binary = isArithmetic(cursor, operand.first - 1) &&
                        (cursor.isWord(operand.first - 2) || cursor.isMark(operand.first - 2, ')') ||
                         cursor.at(operand.first - 2).kind == TokenKind::Number);
    if (binary) operand.first = endOfPrimary(cursor, operand.first - 2, SIZE_MAX);
    while (cursor.isMark(operand.first - 1, '(') && cursor.isMark(operand.last + 1, ')') &&
           !opensCall(cursor, operand.first - 1)) {
      --operand.first;
      ++operand.last;
    }
    if (operand.first == before.first && operand.last == before.last) return operand;
  }
}

std::optional<Comparison> comparisonAt(const Cursor& cursor, const Operand& name) {
  const std::string_view after = signAt(cursor, name.last + 1);
  if (isComparisonSign(after) && !(after == ">" && isTemplates(cursor, name))) {
    const Token& sign = cursor.at(name.last + 1);
    return Comparison{after, sign.begin, sign.begin + static_cast<std::uint32_t>(after.size()),
                      name.last + 1 + after.size(), true};
  }
  for (const std::size_t length : {std::size_t{2}, std::size_t{1}}) {
    if (name.first < length + 1) continue;
    const std::string_view before = signAt(cursor, name.first - length);
    if (before.size() != length || !isComparisonSign(before)) continue;
    if (!standsAlone(cursor, name.first - length)) continue;
    if (before == "<" && isTemplates(cursor, name)) continue;
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

}  // namespace musashim::translator
