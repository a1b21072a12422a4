#include "translator/lib/literals.h"

#include <array>

#include "translator/lib/suffixes.h"

namespace musashim::translator {
namespace {

constexpr auto makeWordBytes() {
  std::array<bool, 256> result{};
  for (int c = 0; c < 256; ++c) {
    result[static_cast<std::size_t>(c)] =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
  }
  return result;
}
constexpr auto kWordBytes = makeWordBytes();

bool isWordByte(char c) { return kWordBytes[static_cast<unsigned char>(c)]; }

/// Is the word at `at` part of a path, an option or a URL, as in my-cuda.h or doc/cudaMemcpy.html?
bool insidePath(std::string_view text, std::size_t at) {
  if (at == 0) return false;
  const char before = text[at - 1];
  if (before == '-') return at >= 2 && isWordByte(text[at - 2]);
  if (before == '/' || before == '\\') return at >= 2 && (isWordByte(text[at - 2]) || text[at - 2] == '.');
  return false;
}

/// Renames each known name in the bytes [begin, end). `escapes`: a backslash hides the next byte.
void renameWords(Cursor& cursor, std::uint32_t begin, std::uint32_t end, bool escapes, FindingKind kind) {
  const std::string_view text = cursor.text.substr(begin, end - begin);
  for (std::size_t at = 0; at < text.size();) {
    if (!isWordByte(text[at])) {
      at += escapes && text[at] == '\\' ? 2 : 1;
      continue;
    }
    const std::size_t from = at;
    while (at < text.size() && isWordByte(text[at])) ++at;
    if (at - from < 2 || !cursor.lexicon.mayBeKnown(text[from], text[from + 1]) || insidePath(text, from))
      continue;
    KnownName name;
    if (!cursor.lexicon.find(text.substr(from, at - from), name) || name.kind != NameKind::Rename) continue;
    if (cursor.options.symbols && cursor.options.symbols->plain.contains(name.name)) continue;
    cursor.out.names |= nameBit(name.name);
    const auto first = begin + static_cast<std::uint32_t>(from);
    const auto last = begin + static_cast<std::uint32_t>(at);
    cursor.edit(first, last, std::string(name.target));
    cursor.found(kind, {first, last, TokenKind::Identifier, 0, false}, name.name, name.library);
  }
}

bool looksLikeKernelSource(std::string_view body) {
  return body.find("__global__") != std::string_view::npos ||
         body.find("__device__") != std::string_view::npos;
}

/// Ports the body of a raw string as a source of its own.
void portAsCode(Cursor& cursor, const Token& body) {
  const std::string_view code = bytesOf(body, cursor.text);
  TokenStream stream;
  scan(code, stream);
  Match inner;
  match(code, stream, cursor.options, cursor.project, inner);
  for (Edit& edit : inner.edits) {
    cursor.out.edits.push_back({edit.begin + body.begin, edit.end + body.begin, std::move(edit.text)});
  }
  cursor.out.names |= inner.names;
  for (const auto& [subject, number] : inner.counts) count(cursor.out, subject, number);
  for (Finding& finding : inner.findings) {
    finding.begin += body.begin;
    finding.end += body.begin;
    cursor.out.findings.push_back(std::move(finding));
  }
}

/// What a string that is nothing but a name becomes; empty if it is no name.
std::string symbolTarget(const Cursor& cursor, std::string_view body) {
  if (body.size() < 2 || body.size() > 128) return {};
  KnownName name;
  if ((cursor.lexicon.mayBeKnown(body[0], body[1]) || body.starts_with("lib") || body.starts_with("CU") ||
       body.starts_with("NC")) &&
      cursor.lexicon.find(body, name) && (name.kind == NameKind::Rename || name.kind == NameKind::Symbol)) {
    return std::string(name.target);
  }
  if (isPortedSource(body, cursor.lexicon.direction())) return cursor.project.renamed(body);
  if (body.ends_with(".h") && !cursor.project.owns(body)) {
    std::string scratch;
    return std::string(cursor.lexicon.mapHeader(body, scratch));
  }
  return {};
}

}  // namespace

void portString(Cursor& cursor, const Token& literal) {
  const Token body = literalBody(literal, cursor.text);
  const std::string_view content = bytesOf(body, cursor.text);
  if (literal.kind == TokenKind::RawString) {
    const RawStringPolicy policy = cursor.options.rawStrings;
    if (policy == RawStringPolicy::Code ||
        (policy == RawStringPolicy::Auto && looksLikeKernelSource(content))) {
      portAsCode(cursor, body);
    }
    return;
  }
  if (cursor.options.strings == StringPolicy::Keep) return;
  if (const std::string target = symbolTarget(cursor, content); !target.empty()) {
    cursor.edit(body.begin, body.end, target);
    return cursor.found(FindingKind::Symbol, body, content);
  }
  if (cursor.options.strings == StringPolicy::Names || looksLikeKernelSource(content)) {
    renameWords(cursor, body.begin, body.end, true, FindingKind::Symbol);
  }
}

void portComment(Cursor& cursor, const Token& comment) {
  if (cursor.options.comments == CommentPolicy::Keep) return;
  renameWords(cursor, comment.begin, comment.end, false, FindingKind::Comment);
}

}  // namespace musashim::translator
