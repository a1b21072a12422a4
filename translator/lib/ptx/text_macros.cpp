#include "translator/lib/ptx/text_macros.h"

#include <algorithm>
#include <utility>

namespace musashim::translator {
namespace {

bool isText(const Token& token) {
  return token.kind == TokenKind::String || token.kind == TokenKind::RawString;
}

std::optional<std::string> textOf(const FindTexts& find, std::string_view name, int depth);

std::optional<std::string> textOf(const FindTexts& find, const TextPieces& pieces, int depth) {
  std::string result;
  for (const std::string& piece : pieces) {
    if (piece[0] == '"') {
      result += piece.substr(1);
    } else if (const auto text = textOf(find, piece, depth - 1)) {
      result += *text;
    } else {
      return std::nullopt;
    }
  }
  return result;
}

std::optional<std::string> textOf(const FindTexts& find, std::string_view name, int depth) {
  const std::vector<TextPieces>* const found = depth > 0 ? find(name) : nullptr;
  if (!found) return std::nullopt;
  std::optional<std::string> one;
  for (const TextPieces& pieces : *found) {
    auto text = textOf(find, pieces, depth);
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

void add(const TextMacro& macro, TextMacros& macros) {
  auto& all = macros[macro.name];
  if (std::find(all.begin(), all.end(), macro.pieces) == all.end()) all.push_back(macro.pieces);
}

std::optional<std::string> textOf(const FindTexts& find, std::string_view name) {
  constexpr int kDeepest = 8;
  return textOf(find, name, kDeepest);
}

}  // namespace musashim::translator
