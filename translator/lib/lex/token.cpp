#include "translator/lib/lex/token.h"

namespace musashim::translator {

std::string spelling(const Token& token, std::string_view text) {
  const std::string_view bytes = bytesOf(token, text);
  if (!token.spliced) return std::string(bytes);
  std::string result;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '\\') {
      std::size_t next = bytes.find_first_not_of(" \t\r\v\f", i + 1);
      if (next != std::string_view::npos && bytes[next] == '\n') {
        i = next;
        continue;
      }
    }
    result += bytes[i];
  }
  return result;
}

Token literalBody(const Token& literal, std::string_view text) {
  const std::string_view bytes = bytesOf(literal, text);
  Token body = literal;
  const char open = literal.kind == TokenKind::RawString   ? '('
                    : literal.kind == TokenKind::Character ? '\''
                                                           : '"';
  const std::size_t first = bytes.find(open);
  std::size_t tail = 1;
  if (literal.kind == TokenKind::RawString) tail = first - bytes.find('"') + 1;
  const bool closed = bytes.size() >= first + 1 + tail && (bytes.back() == '"' || bytes.back() == '\'');
  body.begin = literal.begin + static_cast<std::uint32_t>(first) + 1;
  body.end = closed ? literal.end - static_cast<std::uint32_t>(tail) : literal.end;
  return body;
}

}  // namespace musashim::translator
