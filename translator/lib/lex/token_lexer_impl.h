#pragma once

// One token after the other, whatever it is: phase 3 of C++'s translation, kept reversible, for a token is a
// byte range. In a header of its own so that scan.cpp, which alone includes it, inlines it.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "translator/lib/lex/spliced_text_impl.h"
#include "translator/lib/lex/token.h"
#include "translator/lib/lex/word_filter.h"

namespace musashim::translator {
namespace {

/// Appends to `out`. The words of `stops` are stops, besides what always is one.
class TokenLexer : protected SplicedText {
 public:
  TokenLexer(std::string_view text, TokenStream& out, const WordFinder& stops)
      : SplicedText(text), lineStart_(begin_), out_(out), stops_(stops) {}

  void runOneByOne() {
    skipByteOrderMark();
    while (at_ < end_) step();
    if (inDirective_) endDirective();
  }

 protected:
  /// Lexes what begins at `at_`: a token, a comment, blanks or a new-line.
  void step() {
    const char c = *at_;
    switch (classOf(c)) {
      case kBlank:
        ++at_;
        return;
      case kNewline:
        if (inDirective_) endDirective();
        lineStart_ = ++at_;
        skipIndent();
        return;
      case kLetter:
        lexWord();
        return;
      case kDigit:
        lexNumber();
        return;
      case kOther:
        lexMark(c);
        return;
    }
  }

  void emit(TokenKind kind, const char* from, char markOf = 0, bool spliced = false) {
    if (isBrace(markOf) || spliced || isAlwaysStop(kind) || (kind == TokenKind::Identifier && isStop(from)))
      noteStop();
    out_.tokens.push_back({offset(from), offset(at_), kind, markOf, spliced});
  }

  static constexpr bool isBrace(char c) { return c == '{' || c == '}'; }
  static constexpr bool isAlwaysStop(TokenKind kind) {
    return kind == TokenKind::String || kind == TokenKind::RawString || kind == TokenKind::HeaderName ||
           kind == TokenKind::Directive || kind == TokenKind::DirectiveEnd;
  }

  void noteStop() { out_.stops.push_back(static_cast<std::uint32_t>(out_.tokens.size())); }

  void endDirective() {
    inDirective_ = false;
    noteStop();
    out_.tokens.push_back({offset(at_), offset(at_), TokenKind::DirectiveEnd, 0, false});
  }

  /// May the word at `begin` be one of those asked for?
  bool isStop(const char* begin) const {
    if (end_ - begin < 2 || !stops_.words.mayBegin(begin[0], begin[1])) return false;
    return stops_.words.mayHold({begin, static_cast<std::size_t>(endOfWord(begin + 2, end_) - begin)});
  }

  void lexWord() {
    const char* from = at_;
    const bool spliced = eatWord();
    const char quote = peek(at_);
    if ((quote == '"' || quote == '\'') && !spliced && isLiteralPrefix(from, quote)) {
      if (at_[-1] == 'R' && quote == '"' && lexRawString(from)) return;
      lexQuoted(from, quote);
      return;
    }
    emit(TokenKind::Identifier, from, 0, spliced);
  }

  bool isLiteralPrefix(const char* from, char quote) const {
    std::string_view prefix(from, static_cast<std::size_t>(at_ - from));
    if (quote == '"' && !prefix.empty() && prefix.back() == 'R') prefix.remove_suffix(1);
    return prefix.empty() || prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8";
  }

  /// At the quote of R"delimiter( ... )delimiter". False if the delimiter is not well formed.
  bool lexRawString(const char* from) {
    char close[20] = {')'};
    std::size_t length = 1;
    const char* place = at_ + 1;
    for (; peek(place) != '('; ++place) {
      const char c = peek(place);
      if (length > 16 || place >= end_ || c == ')' || c == '\\' || c == '"' || c == '\n' ||
          classOf(c) == kBlank) {
        return false;
      }
      close[length++] = c;
    }
    close[length++] = '"';
    const void* found = memmem(place, static_cast<std::size_t>(end_ - place), close, length);
    at_ = found ? static_cast<const char*>(found) + length : end_;
    emit(TokenKind::RawString, from);
    return true;
  }

  /// At the opening quote. An unterminated literal ends with its line.
  void lexQuoted(const char* from, char quote) {
    bool spliced = false;
    at_ = endOfRun(at_ + 1, end_, quote);
    while (at_ < end_ && *at_ == '\\') {
      const char* const next = afterSplice(at_);
      spliced = spliced || next;
      at_ = endOfRun(next ? next : at_ + (at_ + 1 < end_ ? 2 : 1), end_, quote);
    }
    if (at_ < end_ && *at_ == quote) ++at_;
    emit(quote == '"' ? TokenKind::String : TokenKind::Character, from, 0, spliced);
  }

  /// A preprocessing number: digits, letters, points, digit separators, signed exponents.
  void lexNumber() {
    const char* from = at_;
    while (at_ < end_) {
      const char c = *at_;
      if (isWordByte(c) || c == '.') {
        ++at_;
        const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
        if (exponent && (peek(at_) == '+' || peek(at_) == '-') && !isHexadecimal(from, c)) ++at_;
      } else if (c == '\'' && isWordByte(peek(at_ + 1))) {
        at_ += 2;
      } else {
        break;
      }
    }
    emit(TokenKind::Number, from);
  }

  /// 0x1e+1 is a sum, 0x1p+1 is one number.
  bool isHexadecimal(const char* from, char exponent) const {
    return (exponent == 'e' || exponent == 'E') && *from == '0' && (peek(from + 1) | 0x20) == 'x';
  }

  void lexMark(char c) {
    const char* from = at_;
    switch (c) {
      case '"':
      case '\'':
        lexQuoted(from, c);
        return;
      case '/':
        if (lexComment()) return;
        break;
      case '#':
        lexHash();
        return;
      case '\\':
        if (const char* next = afterSplice(at_)) {
          at_ = next;
          return;
        }
        break;
      case '.':
        if (classOf(peek(at_ + 1)) == kDigit) return lexNumber();
        if (peek(at_ + 1) == '.' && peek(at_ + 2) == '.') return lexLong(3, mark::kEllipsis);
        break;
      case ':':
        if (peek(at_ + 1) == ':') return lexLong(2, mark::kScope);
        break;
      case '-':
        if (peek(at_ + 1) == '>') return lexLong(2, mark::kArrow);
        break;
      default:
        break;
    }
    ++at_;
    emit(TokenKind::Punctuator, from, c);
  }

  void lexLong(int length, char markOf) {
    const char* from = at_;
    at_ += length;
    emit(TokenKind::Punctuator, from, markOf);
  }

  bool lexComment() {
    const char* from = at_;
    const char* second = skipSplices(at_ + 1);
    if (peek(second) == '/') {
      lexLineComment(second + 1);
      return true;
    }
    if (peek(second) != '*') return false;
    at_ = endOfBlockComment(second + 1);
    out_.comments.push_back({offset(from), offset(at_), TokenKind::BlockComment, 0, false});
    return true;
  }

  /// `text`: behind the slashes.
  void lexLineComment(const char* text) {
    const char* from = at_;
    at_ = text;
    skipLine();
    out_.comments.push_back({offset(from), offset(at_), TokenKind::LineComment, 0, false});
  }

  bool firstOnLine() const { return out_.tokens.empty() || out_.tokens.back().end <= offset(lineStart_); }

  void lexHash() {
    const char* from = at_;
    if (!inDirective_ && firstOnLine()) return lexDirective();
    const char* second = skipSplices(at_ + 1);
    if (peek(second) == '#') {
      at_ = second + 1;
      emit(TokenKind::Punctuator, from, mark::kPaste);
      return;
    }
    ++at_;
    emit(TokenKind::Punctuator, from, '#');
  }

  void lexDirective() {
    const char* from = at_++;
    emit(TokenKind::Directive, from);
    inDirective_ = true;
    skipBlanks();
    if (!isWordByte(peek(at_))) return;
    from = at_;
    const bool spliced = eatWord();
    emit(TokenKind::Identifier, from, 0, spliced);
    const std::string joined =
        spliced ? spelling(out_.tokens.back(), {begin_, static_cast<std::size_t>(end_ - begin_)})
                : std::string();
    const std::string_view name =
        spliced ? std::string_view(joined) : std::string_view(from, static_cast<std::size_t>(at_ - from));
    if (name == "include" || name == "include_next" || name == "import") return lexHeaderName();
    if (name == "define") return lexMacroHeader();
    // The rest of these lines is prose, where an apostrophe opens nothing.
    if (name == "error" || name == "warning") skipLine();
  }

  /// Blanks, splices and comments inside a line.
  void skipBlanks() {
    for (;;) {
      while (at_ < end_ && classOf(*at_) == kBlank) ++at_;
      if (const char* next = afterSplice(at_)) {
        at_ = next;
      } else if (peek(at_) != '/' || peek(skipSplices(at_ + 1)) != '*' || !lexComment()) {
        return;
      }
    }
  }

  /// #define HEADER <cuda_fp16.h>
  void lexMacroHeader() {
    skipBlanks();
    if (!isWordByte(peek(at_)) || (peek(at_) >= '0' && peek(at_) <= '9')) return;
    const char* from = at_;
    const bool spliced = eatWord();
    emit(TokenKind::Identifier, from, 0, spliced);
    if (classOf(peek(at_)) != kBlank) return;  // of a function, perhaps
    skipBlanks();
    if (peek(at_) != '<') return;
    const std::string_view line(at_, static_cast<std::size_t>(std::find(at_, end_, '\n') - at_));
    const std::size_t close = line.find('>');
    if (close == std::string_view::npos || line.find('.') > close) return;
    if (line.find_first_not_of(" \t\r", close + 1) != std::string_view::npos) return;
    lexHeaderName();
  }

  void lexHeaderName() {
    skipBlanks();
    const char close = peek(at_) == '<' ? '>' : peek(at_) == '"' ? '"' : '\0';
    if (close == '\0') return;
    const char* from = at_;
    for (const char* place = at_ + 1; place < end_ && *place != '\n'; ++place) {
      if (*place != close) continue;
      at_ = place + 1;
      emit(TokenKind::HeaderName, from);
      return;
    }
  }

  const char* lineStart_;
  bool inDirective_ = false;
  TokenStream& out_;
  const WordFinder& stops_;
};

}  // namespace
}  // namespace musashim::translator
