#include "translator/lib/match/headers.h"

#include <string>
#include <string_view>

#include "translator/lib/tree/suffixes.h"

namespace musashim::translator {
namespace {

/// The name's bytes, without its brackets.
void portName(Cursor& cursor, std::uint32_t begin, std::uint32_t end, bool quoted, bool toolkits = true) {
  const std::string_view header = cursor.text.substr(begin, end - begin);
  const Token place{begin, end, TokenKind::HeaderName, 0, false};
  if (cursor.project.owns(header, quoted)) {
    if (std::string renamed = cursor.project.renamed(header); !renamed.empty()) {
      cursor.edit(begin, end, std::move(renamed));
      cursor.found(FindingKind::Header, place, header);
    }
    return;
  }
  if (!toolkits) return;
  std::string scratch;
  if (const std::string_view target = cursor.lexicon.mapHeader(header, scratch); !target.empty()) {
    cursor.edit(begin, end, std::string(target));
    cursor.found(FindingKind::Header, place, header, "headers");
    const Advice* advice = cursor.lexicon.toMusa() ? notedHeader(header) : nullptr;
    if (advice) cursor.report(FindingKind::Note, place, header, "headers", *advice);
    return;
  }
  if (const Advice* advice = cursor.lexicon.unportedHeader(header)) {
    return cursor.report(FindingKind::Unported, place, header, "headers", *advice);
  }
  // One that stays.
  if (const Advice* advice = cursor.lexicon.toMusa() ? notedHeader(header) : nullptr)
    return cursor.report(FindingKind::Note, place, header, "headers", *advice);
  if (quoted && !cursor.options.keepFileNames && isPortedSource(header, cursor.lexicon.direction())) {
    cursor.out.findings.push_back({FindingKind::Unported, begin, end, std::string(header), "headers",
                                   "a CUDA source that is not among the inputs, so its new name is not known",
                                   "port the folder that holds both files in one run"});
  }
}

}  // namespace

void portHeader(Cursor& cursor, const Token& token) {
  const std::string_view bytes = bytesOf(token, cursor.text);
  portName(cursor, token.begin + 1, token.end - 1, bytes.front() == '"');
}

void portComputedHeader(Cursor& cursor, std::size_t index) {
  const std::string_view word = cursor.bytes(index + 1);
  const bool include = word == "include" || word == "include_next";
  if ((!include && word != "define") || !cursor.isWord(index + 2)) return;
  std::size_t first = index + 3, last = first;
  while (last < cursor.tokens.size() && cursor.at(last).kind != TokenKind::DirectiveEnd) ++last;
  if (last-- <= first + 1) return;
  if (include) {
    if (!cursor.isMark(first++, '(') || !cursor.isMark(last--, ')')) return;
  } else if (cursor.at(first).begin == cursor.at(index + 2).end) {
    return;  // it has parameters
  }
  const bool angles = cursor.isMark(first, '<') && cursor.isMark(last, '>');
  const std::uint32_t begin = angles ? cursor.at(first).end : cursor.at(first).begin;
  const std::uint32_t end = angles ? cursor.at(last).begin : cursor.at(last).end;
  const std::string_view path = cursor.text.substr(begin, end - begin);
  const std::size_t point = path.rfind('.');
  const bool header = point != std::string_view::npos &&
                      (path.substr(point).starts_with(".h") || path.substr(point).starts_with(".cu"));
  if (header && path.find_first_of(" \t\r\n\"'()+") == std::string_view::npos)
    portName(cursor, begin, end, !angles);
}

// __has_include(<name>): the scanner sees punctuators; __has_include("name"): a string.
std::size_t portHasInclude(Cursor& cursor, std::size_t index, bool toolkits) {
  const std::size_t nothing = index + 1;
  if (!cursor.isMark(index + 1, '(')) return nothing;
  const Token& open = cursor.at(index + 2);
  if (open.kind == TokenKind::String) {
    portName(cursor, open.begin + 1, open.end - 1, true, toolkits);
    return index + 3;
  }
  if (!cursor.isMark(index + 2, '<')) return nothing;
  std::size_t close = index + 3;
  constexpr std::size_t kLongest = 256;
  while (close < index + kLongest && !cursor.isMark(close, '>')) ++close;
  if (!cursor.isMark(close, '>')) return nothing;
  const std::string_view name = cursor.text.substr(open.end, cursor.at(close).begin - open.end);
  if (name.find_first_of("\n\"'") != std::string_view::npos) return nothing;  // not a header's name
  portName(cursor, open.end, cursor.at(close).begin, false, toolkits);
  return close + 1;
}

}  // namespace musashim::translator
