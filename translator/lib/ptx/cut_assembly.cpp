#include "translator/lib/ptx/cut_assembly.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "translator/lib/port.h"

namespace musashim::translator {
namespace {

/// A line of the preprocessor: tokens and bytes, up to the next line.
struct Line {
  std::string_view word;
  std::size_t first;
  std::size_t last;
  std::size_t begin;
  std::size_t end;
};

struct Statement {
  std::vector<Line> lines;
  std::size_t last = 0;  // the closing bracket
};

Line lineAt(const Cursor& cursor, std::size_t index) {
  std::size_t last = index;
  while (last < cursor.tokens.size() && cursor.at(last).kind != TokenKind::DirectiveEnd) ++last;
  const std::size_t before = cursor.text.rfind('\n', cursor.at(index).begin);
  const std::size_t newline = cursor.text.find('\n', cursor.at(last - 1).end);
  return {cursor.bytes(index + 1), index, last, before + 1,
          newline == std::string_view::npos ? cursor.text.size() : newline + 1};
}

std::optional<Statement> statementAt(const Cursor& cursor, std::size_t index) {
  constexpr std::size_t kLongest = 2048;
  Statement result;
  int depth = 0;
  for (std::size_t i = index + 1; i < std::min(index + kLongest, cursor.tokens.size()); ++i) {
    if (cursor.at(i).kind == TokenKind::Directive) {
      result.lines.push_back(lineAt(cursor, i));
      i = result.lines.back().last;
      continue;
    }
    if (cursor.isMark(i, ';') || cursor.isMark(i, '{') || cursor.isMark(i, '}')) return std::nullopt;
    if (cursor.isMark(i, '(')) ++depth;
    if (cursor.isMark(i, ')') && --depth == 0) {
      result.last = i;
      return result;
    }
  }
  return std::nullopt;
}

/// #if, perhaps #else, #endif, and nothing but text between them.
bool isChoiceOfTexts(const Cursor& cursor, const std::vector<Line>& lines) {
  if (lines.size() < 2 || lines.size() > 3 || !lines.front().word.starts_with("if")) return false;
  if (lines.back().word != "endif" || (lines.size() == 3 && lines[1].word != "else")) return false;
  for (std::size_t i = lines.front().last + 1; i < lines.back().first; ++i) {
    if (lines.size() == 3 && i >= lines[1].first && i <= lines[1].last) continue;
    const TokenKind kind = cursor.at(i).kind;
    if (kind != TokenKind::String && kind != TokenKind::RawString && kind != TokenKind::Identifier)
      return false;
  }
  return true;
}

/// The statement ported by itself; nothing if it stays, or needs something of its file.
std::optional<std::string> portedAlone(const Cursor& cursor, const std::string& statement) {
  const PortedSource result = portSource(statement, cursor.options, cursor.project);
  const bool left = std::any_of(result.findings.begin(), result.findings.end(),
                                [](const Finding& finding) { return finding.kind == FindingKind::Unported; });
  if (left || result.edits.empty() || result.outerCarry || result.headers != 0) return std::nullopt;
  return result.text;
}

}  // namespace

std::optional<CutAssembly> portCutAssembly(const Cursor& cursor, std::size_t index) {
  const auto statement = statementAt(cursor, index);
  if (!statement || !isChoiceOfTexts(cursor, statement->lines)) return std::nullopt;
  const auto& lines = statement->lines;
  const Line &first = lines.front(), &end = lines.back(), &middle = lines[1];
  const auto bytes = [&](std::size_t from, std::size_t to) {
    return std::string(cursor.text.substr(from, to - from));
  };
  const std::string head = bytes(cursor.at(index).begin, first.begin);
  const std::string tail = bytes(end.end, cursor.at(statement->last).end);
  const auto one = portedAlone(cursor, head + bytes(first.end, middle.begin) + tail);
  const auto other =
      portedAlone(cursor, head + (lines.size() == 3 ? bytes(middle.end, end.begin) : "") + tail);
  if (!one || !other) return std::nullopt;
  const std::string newline = bytes(end.begin, end.end).ends_with("\r\n") ? "\r\n" : "\n";
  const std::string last = bytes(end.begin, end.end);
  std::string condition =
      portSource(bytes(first.begin, first.end) + last, cursor.options, cursor.project).text;
  condition.resize(condition.size() - last.size());
  const std::string otherwise = lines.size() == 3 ? bytes(middle.begin, middle.end) : "#else" + newline;
  return CutAssembly{"do {" + newline + condition + *one + ";" + newline + otherwise + *other + ";" +
                         newline + last + "} while (0)",
                     statement->last};
}

}  // namespace musashim::translator
