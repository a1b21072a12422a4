#include "translator/lib/ptx/text_macros.h"

#include <algorithm>
#include <utility>

#include "translator/lib/lex/byte_masks.h"

namespace musashim::translator {
namespace {

bool isText(const Token& token) {
  return token.kind == TokenKind::String || token.kind == TokenKind::RawString;
}

/// Of a name, in any encoding.
bool isWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// What follows `define`: a name, and then what may be text. Yes when in doubt, as with comments.
bool mayBeText(std::string_view rest) {
  const auto skip = [&](auto isSkipped) {
    while (!rest.empty() && isSkipped(rest.front())) rest.remove_prefix(1);
  };
  const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
  const auto ends = [&] { return rest.empty() || rest.front() == '\n' || rest.starts_with("\r\n"); };
  if (!rest.empty() && isWordByte(rest.front())) return false;  // `defined`
  skip(isBlank);
  if (ends()) return false;
  if (!isWordByte(rest.front())) return true;
  skip(isWordByte);
  skip(isBlank);
  // Neither literals nor words begin so.
  constexpr std::string_view kOthers = "0123456789(){}[]<>+-*&|!~^=,.;:\'";
  return !ends() && kOthers.find(rest.front()) == std::string_view::npos;
}

std::optional<std::string> textOf(const TextMacros& macros, std::string_view name, int depth);

std::optional<std::string> textOf(const TextMacros& macros, const TextPieces& pieces, int depth) {
  std::string result;
  for (const std::string& piece : pieces) {
    if (piece[0] == '"') {
      result += piece.substr(1);
    } else if (const auto text = textOf(macros, piece, depth - 1)) {
      result += *text;
    } else {
      return std::nullopt;
    }
  }
  return result;
}

std::optional<std::string> textOf(const TextMacros& macros, std::string_view name, int depth) {
  const auto found = macros.find(name);
  if (found == macros.end() || depth == 0) return std::nullopt;
  std::optional<std::string> one;
  for (const TextPieces& pieces : found->second) {
    auto text = textOf(macros, pieces, depth);
    if (!text) return std::nullopt;
    const bool pointers = one && ((*one == "l" && *text == "r") || (*one == "r" && *text == "l"));
    if (pointers) {
      one = "l";
    } else if (one && *one != *text) {
      return std::nullopt;
    } else {
      one = std::move(text);
    }
  }
  return one;
}

}  // namespace

std::string unescaped(std::string_view body) {
  std::string result;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 == body.size()) {
      result += body[i];
    } else if (const char c = body[++i]; c == 'n') {
      result += '\n';
    } else if (c == 't') {
      result += ' ';
    } else {
      result += c;
    }
  }
  return result;
}

std::vector<TextMacro> textMacrosOf(std::string_view text, const TokenList& tokens) {
  std::vector<TextMacro> found;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::Directive || bytesOf(tokens[i + 1], text) != "define") continue;
    TextPieces pieces;
    bool texts = false, others = false;
    for (std::size_t k = i + 3; k < tokens.size() && tokens[k].kind != TokenKind::DirectiveEnd; ++k) {
      if (isText(tokens[k])) {
        pieces.push_back('"' + unescaped(bytesOf(literalBody(tokens[k], text), text)));
        texts = true;
      } else if (tokens[k].kind == TokenKind::Identifier) {
        pieces.emplace_back(bytesOf(tokens[k], text));
      } else {
        others = true;
      }
    }
    // A macro for another one may stand for text, too.
    if (others || pieces.empty() || (!texts && pieces.size() > 1)) continue;
    found.push_back({std::string(bytesOf(tokens[i + 2], text)), std::move(pieces)});
  }
  return found;
}

bool mayDefineText(std::string_view text) {
  constexpr std::string_view kDefine = "define";
  // By its second letter and the third.
  for (std::size_t at = findBytes(text, 'e', 'f', 1); at != std::string_view::npos;
       at = findBytes(text, 'e', 'f', at + 1)) {
    const std::string_view found = text.substr(at - 1);
    if (found.starts_with(kDefine) && mayBeText(found.substr(kDefine.size()))) return true;
  }
  return false;
}

void add(const TextMacro& macro, TextMacros& macros) {
  auto& all = macros[macro.name];
  if (std::find(all.begin(), all.end(), macro.pieces) == all.end()) all.push_back(macro.pieces);
}

std::optional<std::string> textOf(const TextMacros& macros, std::string_view name) {
  constexpr int kDeepest = 8;
  return textOf(macros, name, kDeepest);
}

}  // namespace musashim::translator
