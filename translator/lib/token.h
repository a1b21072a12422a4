#pragma once

// What the scanner hands to the matcher: byte ranges of the source, nothing copied.

#include <cstdint>
#include <string_view>
#include <vector>

namespace musashim::translator {

enum class TokenKind : std::uint8_t {
  Identifier,
  Number,
  String,     // "..." with its prefix, escapes not resolved
  RawString,  // R"delim(...)delim" with its prefix
  Character,
  HeaderName,    // <...> or "..." after #include, brackets included
  Punctuator,    // `mark` holds the character, or one of the Mark constants
  Directive,     // the # that opens a preprocessor line
  DirectiveEnd,  // its end: the new-line that is not spliced away
  LineComment,   // in TokenStream::comments only
  BlockComment,  // in TokenStream::comments only
};

/// Punctuators of more than one character that the matcher cares about.
namespace mark {
inline constexpr char kScope = 'S';     // ::
inline constexpr char kArrow = 'A';     // ->
inline constexpr char kPaste = 'P';     // ##
inline constexpr char kEllipsis = 'E';  // ...
}  // namespace mark

struct Token {
  std::uint32_t begin;
  std::uint32_t end;
  TokenKind kind;
  char mark;     // Punctuator: see above
  bool spliced;  // holds a backslash-newline, so its spelling differs from its bytes
};

/// Tokens in source order; comments apart, so that neighbours in `tokens` are neighbours for the grammar.
struct TokenStream {
  std::vector<Token> tokens;
  std::vector<Token> comments;

  void clear() {
    tokens.clear();
    comments.clear();
  }
};

inline std::string_view bytesOf(const Token& token, std::string_view text) {
  return text.substr(token.begin, token.end - token.begin);
}

}  // namespace musashim::translator
