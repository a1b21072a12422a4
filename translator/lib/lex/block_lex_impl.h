// lexPlain() of byte_masks.h, on top of what the including file has of blocks: block_vectors_impl.h or
// block_avx512_impl.h. One block follows the other; what is special in one is cut out of its masks, or ends
// it.

#include <bit>
#include <cstring>

#include "translator/lib/lex/block.h"

namespace musashim::translator {
namespace {

/// What the last byte of a block leaves to the next one, each 0 or 1.
struct Carry {
  std::uint64_t word = 0;    // it is of a word
  std::uint64_t number = 0;  // of a number
  std::uint64_t mark = 0;    // it is a mark's last
  std::uint64_t join = 0;    // the first of two

  /// Has the last token no end yet?
  std::uint64_t open() const { return word | mark | join; }
};

/// Where tokens begin and end in a block, and what must be looked at.
struct Places {
  std::uint64_t starts;
  std::uint64_t ends;
  std::uint64_t joins;    // as in BlockMasks, but the second of three colons is none
  std::uint64_t glued;    // behind words and numbers that go on there
  std::uint64_t special;  // those, and what is special itself
};

/// Of colons in a row, those that are the first of two.
std::uint64_t pairedJoins(std::uint64_t joins, std::uint64_t carry) {
  for (std::uint64_t left = joins & (joins << 1 | carry); left != 0; left &= left - 1) {
    const std::uint64_t bit = left & (0 - left);
    if (((joins << 1 | carry) & bit) != 0) joins &= ~bit;
  }
  return joins;
}

/// Behind the words that begin with a digit. `carry`: one goes on into the block; then, out of it.
std::uint64_t endsOfNumbers(std::uint64_t word, std::uint64_t digitStarts, std::uint64_t& carry) {
  // The addition runs through each of them, to the bit behind.
  unsigned long long out = 0;
  const std::uint64_t sum = __builtin_addcll(word, digitStarts, carry, &out);
  carry = out;
  return ~word & sum;
}

Places placesOf(const BlockMasks& masks, Carry& carry) {
  const Carry before = carry;
  const auto startsOf = [&](std::uint64_t word) { return word & ~(word << 1 | before.word); };
  const std::uint64_t points =
      endsOfNumbers(masks.word, startsOf(masks.word) & masks.digit, carry.number) & masks.point;
  const std::uint64_t word = masks.word | points, mark = masks.mark & ~points;
  const std::uint64_t wordEnds = ~word & (word << 1 | before.word);
  carry.number = before.number;
  const std::uint64_t numberEnds = endsOfNumbers(word, startsOf(word) & masks.digit, carry.number);
  std::uint64_t joins = masks.joins;
  if ((joins & (joins << 1 | before.join)) != 0) joins = pairedJoins(joins, before.join);
  const std::uint64_t last = mark & ~joins;  // of each mark
  const std::uint64_t glued = (wordEnds & masks.wordGlue) | (numberEnds & masks.numberGlue);
  carry.word = word >> 63;
  carry.mark = last >> 63;
  carry.join = joins >> 63;
  return {startsOf(word) | (mark & ~(joins << 1 | before.join)), wordEnds | last << 1 | before.mark, joins,
          glued, (masks.special & ~points) | glued};
}

bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n'); }

/// Of the comment whose slashes are at `at`; null if it may go on in the next line, or beyond what can be
/// read.
const char* endOfLineComment(const char* at, const char* end) {
  if (end - at < 2 || at[1] != '/') return nullptr;
  for (at += 2; end - at >= 64; at += 64) {
    const std::uint64_t newlines = are(at, '\n');
    if (newlines == 0) continue;
    at += lowestBit(newlines);
    const char* last = at - 1;
    while (isBlank(*last)) --last;
    return *last == '\\' ? nullptr : at;
  }
  return nullptr;
}

/// Of the string whose quote is at `at`; null if it may go on in the next line, or beyond what can be read.
const char* endOfString(const char* at, const char* end) {
  for (++at; end - at > 64;) {  // a block, and what a backslash hides
    const std::uint64_t stops = are(at, '"') | are(at, '\\') | are(at, '\n');
    at += stops != 0 ? lowestBit(stops) : 64;
    if (stops == 0) continue;
    if (*at != '\\') return *at == '"' ? at + 1 : at;
    if (isBlank(at[1]) || at[1] == '\n') return nullptr;
    at += 2;
  }
  return nullptr;
}

/// One call of lexPlain().
class Lexing {
 public:
  explicit Lexing(PlainLexer& lexer)
      : lexer_(lexer), at_(lexer.at), tokens_(lexer.tokens), comments_(lexer.comments), stops_(lexer.stops) {}

  bool run() {
    bool goesOn = true, room = true;
    while (goesOn && at_ < lexer_.end) {
      room = hasRoom();
      goesOn = room && block();
    }
    if (at_ >= lexer_.end) {
      at_ = lexer_.end;
      if (carry_.open() != 0) tokens_[-1].end = offsetOf(at_);
    } else if (carry_.open() != 0) {
      dropLast();
    }
    lexer_.at = at_;
    lexer_.tokens = tokens_;
    lexer_.comments = comments_;
    lexer_.stops = stops_;
    return room;
  }

 private:
  bool hasRoom() const {
    return lexer_.tokensEnd - tokens_ >= kLexRoom && lexer_.stopsEnd - stops_ >= kLexRoom &&
           lexer_.commentsEnd - comments_ >= kLexRoom;
  }

  std::uint32_t offsetOf(const char* place) const { return static_cast<std::uint32_t>(place - lexer_.begin); }
  std::uint32_t tokenNumber() const {
    return lexer_.firstToken + static_cast<std::uint32_t>(tokens_ - lexer_.tokens);
  }

  /// Goes back to where the last token begins, which has no end yet.
  void dropLast() {
    --tokens_;
    if (stops_ != lexer_.stops && stops_[-1] == tokenNumber()) --stops_;
    at_ = lexer_.begin + tokens_->begin;
    carry_ = {};
  }

  /// The bytes from at_ on, or a copy of what is left of them with zeros behind.
  const char* readable() const {
    const auto left = static_cast<std::size_t>(lexer_.end - at_);
    if (left >= kBytesRead) return at_;
    std::memset(lexer_.last, 0, sizeof lexer_.last);
    std::memcpy(lexer_.last, at_, left);
    return lexer_.last;
  }

  /// Takes the 64 bytes from at_ on; false if only what comes before a place that is for others.
  bool block() {
    const char* const text = readable();
    BlockMasks masks;
    findMasks(text, *lexer_.pairs, masks);
    if (lexer_.end - at_ < 64) masks.mark &= ~bitsFrom(static_cast<unsigned>(lexer_.end - at_));
    const std::uint64_t open = carry_.open();
    Places places = placesOf(masks, carry_);
    unsigned place = 0, limit = 64;
    const char* behind = at_;  // what was cut out
    for (std::uint64_t ahead = ~std::uint64_t{0}; behind - at_ < 64;
         ahead = bitsFrom(offsetInBlock(behind))) {
      const std::uint64_t special = (places.special | (lexer_.inDirective ? masks.newline : 0)) & ahead;
      if (special == 0) break;
      place = lowestBit(special);
      const char* const end = ((places.glued >> place) & 1) == 0 ? take(at_ + place) : nullptr;
      if (!end) {
        limit = place;
        break;
      }
      behind = end;
      cut(place, end, places, masks);
    }
    if (limit < 64 && ((places.glued >> limit) & 1) != 0) {
      const std::uint64_t before = places.starts & ~bitsFrom(limit);
      if (before == 0) return dropLast(), false;
      limit = highestBit(before);
    }
    const std::uint64_t range = ~bitsFrom(limit), lines = masks.newline & range;
    if (lines != 0) lexer_.lineStart = at_ + highestBit(lines) + 1;
    write({text, offsetOf(at_), places.starts & range, places.ends & (range << 1 | 1), masks.word, masks.stop,
           places.joins},
          open);
    if (limit == 64 && behind - at_ < 64) {
      at_ += 64;
      return true;
    }
    carry_ = {};
    if (limit < 64) {
      at_ += limit;
      return false;
    }
    if (at_[place] == '"') tokens_[-1].end = offsetOf(behind);
    at_ = behind;
    return true;
  }

  unsigned offsetInBlock(const char* place) const { return static_cast<unsigned>(place - at_); }

  /// What is special at `at`: its end, or null if it is for others.
  const char* take(const char* at) {
    const char* end = nullptr;
    switch (*at) {
      case '/':
        end = endOfLineComment(at, lexer_.end);
        if (end) *comments_++ = {offsetOf(at), offsetOf(end), TokenKind::LineComment, 0, false};
        return end;
      case '"':
        return endOfString(at, lexer_.end);
      case '\n':
        // Its token has no bytes, but seems to have the new-line here.
        end = offsetInBlock(at) < 63 ? at + 1 : nullptr;
        lexer_.inDirective = lexer_.inDirective && !end;
        return end;
      default:
        return nullptr;
    }
  }

  /// What was taken is no token, or one.
  void cut(unsigned place, const char* end, Places& places, BlockMasks& masks) const {
    const std::uint64_t first = std::uint64_t{1} << place, after = bitsFrom(offsetInBlock(end));
    const std::uint64_t hole = bitsFrom(place) & ~after;
    places.starts &= ~hole;
    places.ends &= ~(hole << 1);
    places.joins &= ~hole;
    if (at_[place] == '/') return;
    places.starts |= first;
    places.ends |= after & (0 - after);
    masks.stop |= first;
  }

  /// `open`: 1 if the first end is the one of the token before.
  void write(BlockTokens plain, std::uint64_t open) {
    tokens_[0 - static_cast<std::ptrdiff_t>(open)].end =
        plain.offset + static_cast<std::uint32_t>(std::countr_zero(plain.ends));
    plain.ends &= plain.ends - open;
    stops_ += writeStops(plain, tokenNumber(), stops_);
    tokens_ += writeTokens(plain, tokens_);
  }

  PlainLexer& lexer_;
  const char* at_;
  Token* tokens_;
  Token* comments_;
  std::uint32_t* stops_;
  Carry carry_;
};

bool lexPlain(PlainLexer& lexer) { return Lexing(lexer).run(); }

}  // namespace
}  // namespace musashim::translator
