#pragma once

// What the scanner hands to the matcher: byte ranges of the source, nothing copied.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "translator/lib/room.h"

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

/// A vector that the scanner fills many at a time: room that it asked for is not cleared first.
template <typename Value>
class RoomyList {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Value& operator[](std::size_t index) const { return room_[index]; }
  const Value* begin() const { return room_.get(); }
  const Value* end() const { return room_.get() + size_; }
  const Value& back() const { return room_[size_ - 1]; }

  void clear() { size_ = 0; }
  void push_back(const Value& value) { *roomFor(1) = value, ++size_; }
  /// The place of the next `count` values; those written there are then taken by grow().
  Value* roomFor(std::size_t count) {
    if (capacity_ - size_ < count) enlarge(count);
    return room_.get() + size_;
  }
  void grow(std::size_t count) { size_ += count; }
  /// From number `from` on, those of which `keep` is 1, not 0. Without a branch for each.
  template <typename Keep>
  void keepIf(std::size_t from, Keep keep) {
    std::size_t kept = from;
    Value* const values = room_.get();
    for (std::size_t i = from; i < size_; ++i) {
      const Value value = values[i];
      values[kept] = value;
      kept += keep(value);
    }
    size_ = kept;
  }
  std::size_t room() const { return capacity_ - size_; }

 private:
  void enlarge(std::size_t count) {
    capacity_ = std::max(2 * capacity_, size_ + count);
    Room<Value> room = makeRoom<Value>(capacity_);
    std::copy(begin(), end(), room.get());
    room_ = std::move(room);
  }

  Room<Value> room_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};
using TokenList = RoomyList<Token>;

/// Tokens in source order; comments apart, so that neighbours in `tokens` are neighbours for the grammar.
struct TokenStream {
  TokenList tokens;
  TokenList comments;
  /// The tokens that may mean something by themselves: directives, strings, headers, braces, spliced words,
  /// and the words that the scan was asked for (with some more that begin like them). In order.
  RoomyList<std::uint32_t> stops;

  void clear() {
    tokens.clear();
    comments.clear();
    stops.clear();
  }
};

inline std::string_view bytesOf(const Token& token, std::string_view text) {
  return text.substr(token.begin, token.end - token.begin);
}

/// The token's spelling as the compiler sees it: without backslash-newlines.
std::string spelling(const Token& token, std::string_view text);

/// The literal's content between its quotes (and delimiters), as bytes of `text`.
Token literalBody(const Token& literal, std::string_view text);

}  // namespace musashim::translator
