#include "translator/lib/match/literals.h"

#include <algorithm>
#include <string>

#include "translator/lib/guards/in_code.h"
#include "translator/lib/lex/word_bytes.h"
#include "translator/lib/lex/word_search.h"
#include "translator/lib/tree/suffixes.h"

namespace musashim::translator {
namespace {

/// Is the word at `at` part of a path, an option or a URL, as in my-cuda.h or doc/cudaMemcpy.html?
bool insidePath(std::string_view text, std::size_t at) {
  if (at == 0) return false;
  const char before = text[at - 1];
  if (before == '-') return at >= 2 && isWordByte(text[at - 2]);
  if (before == '/' || before == '\\') return at >= 2 && (isWordByte(text[at - 2]) || text[at - 2] == '.');
  return false;
}

/// Renames the word at `from` of the bytes [begin, end) if it is a known name. Returns the word's end.
std::size_t renameWord(Cursor& cursor, std::uint32_t begin, std::uint32_t end, std::size_t from,
                       FindingKind kind) {
  const std::string_view text = cursor.text.substr(begin, end - begin);
  const char* const behind = endOfWord(text.data() + from, text.data() + text.size());
  const std::size_t to = static_cast<std::size_t>(behind - text.data());
  const std::string_view word = text.substr(from, to - from);
  if (!cursor.lexicon.mayBeKnown(word) || insidePath(text, from)) return to;
  KnownName name;
  if (!cursor.lexicon.find(word, name) || name.kind != NameKind::Rename) return to;
  if (cursor.options.symbols && cursor.options.symbols->plain.contains(name.name)) return to;
  cursor.out.names |= nameBit(name.name);
  const Token token{begin + static_cast<std::uint32_t>(from), begin + static_cast<std::uint32_t>(to),
                    TokenKind::Identifier, 0, false};
  cursor.rename(token, name);
  cursor.found(kind, token, name.name, name.library);
  return to;
}

/// Renames each known name in a string's bytes [begin, end), where a backslash hides the next one.
void renameInString(Cursor& cursor, std::uint32_t begin, std::uint32_t end) {
  const std::string_view text = cursor.text.substr(begin, end - begin);
  for (std::size_t at = 0; at < text.size();) {
    if (isWordByte(text[at]) && text[at] != '$') {
      at = renameWord(cursor, begin, end, at, FindingKind::Symbol);
    } else {
      at += text[at] == '\\' ? 2 : 1;
    }
  }
}

bool looksLikeKernelSource(std::string_view body) {
  for (std::size_t at = body.find("__"); at != std::string_view::npos; at = body.find("__", at + 1)) {
    if (body.substr(at).starts_with("__global__") || body.substr(at).starts_with("__device__")) return true;
  }
  return false;
}

/// Ports the body of a raw string as a source of its own.
void portAsCode(Cursor& cursor, const Token& body) {
  const std::string_view code = bytesOf(body, cursor.text);
  TokenStream stream;
  scanFor(cursor.options, code, stream);
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

/// Names that are known by their beginnings go on with anything, else.
bool isOneWord(std::string_view body) {
  return endOfWord(body.data(), body.data() + body.size()) == body.data() + body.size();
}

/// As headers have: known by their folders, some would go on with anything, too.
bool isPath(std::string_view body) {
  return std::all_of(body.begin(), body.end(), [](char c) {
    return isWordByte(c) || std::string_view("./+-").find(c) != std::string_view::npos;
  });
}

/// libx.so.12 => libx.so: what a name is known by, if not with its number.
std::string_view withoutVersion(std::string_view body) {
  constexpr std::string_view kSuffix = ".so.";
  const std::size_t at = body.find(kSuffix);
  if (at == std::string_view::npos ||
      body.find_first_not_of("0123456789.", at + kSuffix.size()) != std::string_view::npos)
    return body;
  return body.substr(0, at + kSuffix.size() - 1);
}

/// The name of the API's, variable or library that a string is and nothing else.
bool findSymbol(const Cursor& cursor, std::string_view body, KnownName& name) {
  if (body.size() < 2 || body.size() > 128) return false;
  const bool library = body.starts_with("lib");
  if (!library && !cursor.lexicon.words().mayBegin(body[0], body[1]) && !body.starts_with("CU") &&
      !body.starts_with("NC"))
    return false;
  if (!cursor.lexicon.find(body, name) &&
      !(library && cursor.lexicon.toMusa() && cursor.lexicon.find(withoutVersion(body), name)))
    return false;
  return name.kind == NameKind::Symbol || (name.kind == NameKind::Rename && isOneWord(body));
}

/// What a string that is nothing but the name of a file becomes; empty if it is none that changes.
std::string fileTarget(const Cursor& cursor, std::string_view body) {
  if (body.size() < 2 || body.size() > 128) return {};
  if (isPortedSource(body, cursor.lexicon.direction())) return cursor.project.renamed(body);
  if (body.ends_with(".h") && isPath(body) && !cursor.project.owns(body, true)) {
    std::string scratch;
    return std::string(cursor.lexicon.mapHeader(body, scratch));
  }
  return {};
}

/// What a port to MUSA wrote for a version that MUSA has no number for, with --reverse.
bool restoreVersion(Cursor& cursor, const Token& comment) {
  if (cursor.lexicon.toMusa() || comment.begin == 0 || cursor.text[comment.begin - 1] != '0') return false;
  if (comment.begin > 1 && isWordByte(cursor.text[comment.begin - 2])) return false;
  const std::string_view name = nameBesideZero(bytesOf(comment, cursor.text));
  if (name.empty()) return false;
  cursor.edit(comment.begin - 1, comment.end, std::string(name));
  cursor.found(FindingKind::Guard, comment, name, "guards");
  return true;
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
  KnownName name;
  const bool symbol = findSymbol(cursor, content, name);
  if (symbol && name.target.empty())
    return cursor.report(FindingKind::Unported, body, content, name.library, name.advice);
  if (std::string target = symbol ? std::string(name.target) : fileTarget(cursor, content); !target.empty()) {
    cursor.edit(body.begin, body.end, std::move(target));
    return cursor.found(FindingKind::Symbol, body, content);
  }
  if (cursor.options.strings == StringPolicy::Names || (looksLikeKernelSource(content) && !isPath(content))) {
    renameInString(cursor, body.begin, body.end);
  }
}

void portComment(Cursor& cursor, const Token& comment) {
  if (restoreVersion(cursor, comment)) return;
  if (cursor.options.comments == CommentPolicy::Keep) return;
  const std::string_view text = bytesOf(comment, cursor.text);
  anyWord(cursor.text.substr(comment.begin), text.size(), cursor.lexicon.wordFinder(), [&](std::size_t from) {
    std::size_t begin = from;
    while (begin > 0 && text[begin - 1] == '$') --begin;  // $CUDA_PATH is a name behind a dollar
    if (begin == 0 || !isWordByte(text[begin - 1]))
      renameWord(cursor, comment.begin, comment.end, from, FindingKind::Comment);
    return false;
  });
}

}  // namespace musashim::translator
