// The lexer. Phases of translation 1-3 of C++, kept reversible: a token is a byte range.

#include "translator/lib/lex/scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "translator/lib/lex/word_bytes.h"

namespace musashim::translator {
namespace {

enum CharClass : std::uint8_t { kOther, kBlank, kNewline, kLetter, kDigit };

constexpr std::array<std::uint8_t, 256> makeClasses() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    if (kWordBytes[static_cast<std::size_t>(c)]) classes[c] = kLetter;
    if (c >= '0' && c <= '9') classes[c] = kDigit;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') classes[c] = kBlank;
    if (c == '\n') classes[c] = kNewline;
  }
  return classes;
}
constexpr auto kClasses = makeClasses();

CharClass classOf(char c) { return static_cast<CharClass>(kClasses[static_cast<unsigned char>(c)]); }

class Scanner {
 public:
  Scanner(std::string_view text, TokenStream& out, const WordFinder& stops, const MaskFunctions& masks)
      : begin_(text.data()),
        end_(text.data() + text.size()),
        at_(begin_),
        lineStart_(begin_),
        out_(out),
        stops_(stops),
        masks_(masks) {
    lexer_.begin = begin_;
    lexer_.end = end_;
    lexer_.pairs = &stops.pairs;
  }

  void run() {
    skipByteOrderMark();
    for (;;) {
      lexPlain();
      if (at_ == end_) break;
      step();
    }
    if (inDirective_) endDirective();
    keepStops();
  }

  void runOneByOne() {
    skipByteOrderMark();
    while (at_ < end_) step();
    if (inDirective_) endDirective();
  }

 private:
  void skipByteOrderMark() {
    if (end_ - at_ >= 3 && std::memcmp(at_, "\xEF\xBB\xBF", 3) == 0) at_ += 3;
  }

  // --- many tokens at a time ------------------------------------------------------------------------

  /// Lexes what its own bytes tell, up to the end or to what step() must look at: literals but for plain
  /// strings, comments but for those of one line, splices, directives, numbers with a sign or a quote.
  void lexPlain() {
    lexer_.at = at_;
    lexer_.lineStart = lineStart_;
    lexer_.inDirective = inDirective_;
    for (bool done = false; !done;) {
      takeRoom();
      const Token* const tokens = lexer_.tokens;
      const Token* const comments = lexer_.comments;
      const std::uint32_t* const stops = lexer_.stops;
      done = masks_.lexPlain(lexer_);
      out_.tokens.grow(static_cast<std::size_t>(lexer_.tokens - tokens));
      out_.comments.grow(static_cast<std::size_t>(lexer_.comments - comments));
      out_.stops.grow(static_cast<std::size_t>(lexer_.stops - stops));
    }
    at_ = lexer_.at;
    lineStart_ = lexer_.lineStart;
    inDirective_ = lexer_.inDirective;
    constexpr std::size_t kMany = 64;  // yet so few that what they stand for is near
    if (out_.stops.size() - keptStops_ >= kMany) keepStops();
  }

  /// For two blocks: a token that goes on behind the first is dropped when there is none for the second.
  void takeRoom() {
    constexpr std::size_t kBlocks = 2 * std::size_t{kLexRoom};
    lexer_.tokens = out_.tokens.roomFor(kBlocks);
    lexer_.tokensEnd = lexer_.tokens + out_.tokens.room();
    lexer_.firstToken = static_cast<std::uint32_t>(out_.tokens.size());
    lexer_.comments = out_.comments.roomFor(kBlocks);
    lexer_.commentsEnd = lexer_.comments + out_.comments.room();
    lexer_.stops = out_.stops.roomFor(kBlocks);
    lexer_.stopsEnd = lexer_.stops + out_.stops.room();
  }

  /// lexPlain() takes more words for stops than are. To tell all of them here needs no branch that could be
  /// guessed wrong.
  void keepStops() {
    out_.stops.keepIf(keptStops_, [&](std::uint32_t stop) {
      const Token& token = out_.tokens[stop];
      const unsigned word = token.kind == TokenKind::Identifier, mark = token.kind == TokenKind::Punctuator;
      const unsigned other = (word | mark) == 0 ? token.kind != TokenKind::Number : 0;
      return other | (mark & unsigned{isBrace(token.mark)}) |
             (word & (unsigned{token.spliced} | unsigned{isStop(token)}));
    });
    keptStops_ = out_.stops.size();
  }

  bool isStop(const Token& word) const {
    const char* const begin = begin_ + word.begin;
    if (end_ - begin < 4) return stops_.words.mayHold({begin, word.end - word.begin});
    return stops_.words.mayHoldAt(begin, word.end - word.begin);
  }

  /// May the word at `begin` be one of those asked for?
  bool isStop(const char* begin) const {
    if (end_ - begin < 2 || !stops_.words.mayBegin(begin[0], begin[1])) return false;
    return stops_.words.mayHold({begin, static_cast<std::size_t>(endOfWord(begin + 2, end_) - begin)});
  }

  // --- one at a time --------------------------------------------------------------------------------

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

  void skipIndent() {
    static constexpr std::string_view kBlanks = "        ";
    while (static_cast<std::size_t>(end_ - at_) >= kBlanks.size() &&
           std::memcmp(at_, kBlanks.data(), kBlanks.size()) == 0)
      at_ += kBlanks.size();
    while (at_ < end_ && *at_ == ' ') ++at_;
  }

  char peek(const char* place) const { return place < end_ ? *place : '\0'; }

  /// After the backslash at `place`: the first byte of the next line, or null if no new-line follows.
  /// Compilers accept blanks between the two, so we do.
  const char* afterSplice(const char* place) const {
    if (peek(place) != '\\') return nullptr;
    const char* next = place + 1;
    while (next < end_ && classOf(*next) == kBlank) ++next;
    return next < end_ && *next == '\n' ? next + 1 : nullptr;
  }

  const char* skipSplices(const char* place) const {
    while (const char* next = afterSplice(place)) place = next;
    return place;
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

  std::uint32_t offset(const char* place) const { return static_cast<std::uint32_t>(place - begin_); }

  void endDirective() {
    inDirective_ = false;
    noteStop();
    out_.tokens.push_back({offset(at_), offset(at_), TokenKind::DirectiveEnd, 0, false});
  }

  /// Consumes word characters across splices; true if there was one.
  bool eatWord() {
    bool spliced = false;
    for (;;) {
      at_ = endOfWord(at_, end_);
      if (peek(at_) != '\\') return spliced;
      const char* next = skipSplices(at_);
      if (next == at_ || next >= end_ || !isWordByte(*next)) return spliced;
      at_ = next;
      spliced = true;
    }
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

  /// Behind the next "*/" from `place` on.
  const char* endOfBlockComment(const char* place) const {
    for (const char* from = place; from < end_;) {
      const auto* slash =
          static_cast<const char*>(std::memchr(from, '/', static_cast<std::size_t>(end_ - from)));
      if (!slash) break;
      if (slash > place && slash[-1] == '*') return slash + 1;
      from = slash + 1;
    }
    return end_;
  }

  /// To the new-line that ends the logical line (not consumed).
  void skipLine() {
    for (;;) {
      const void* found = at_ < end_ ? std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)) : nullptr;
      if (!found) {
        at_ = end_;
        return;
      }
      const char* newline = static_cast<const char*>(found);
      const char* last = newline;
      while (last > at_ && classOf(last[-1]) == kBlank) --last;
      if (last == at_ || last[-1] != '\\') {
        at_ = newline;
        return;
      }
      at_ = newline + 1;
    }
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

  const char* begin_;
  const char* end_;
  const char* at_;
  const char* lineStart_;
  bool inDirective_ = false;
  TokenStream& out_;
  const WordFinder& stops_;
  const MaskFunctions& masks_;
  PlainLexer lexer_;
  std::size_t keptStops_ = 0;  // those before were looked at
};

}  // namespace

void scan(std::string_view text, TokenStream& out, const WordFinder& stops, const MaskFunctions& masks) {
  out.clear();
  Scanner(text, out, stops, masks).run();
}

void scanOneByOne(std::string_view text, TokenStream& out) {
  out.clear();
  Scanner(text, out, kNoWords, kMasks).runOneByOne();
  out.stops.clear();
  for (std::uint32_t i = 0; i < out.tokens.size(); ++i) out.stops.push_back(i);
}

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
