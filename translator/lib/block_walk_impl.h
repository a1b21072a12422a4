// The functions of byte_masks.h, on top of what the including file has of blocks: block_vectors_impl.h or
// block_avx512_impl.h.

#include <algorithm>
#include <cstring>

#include "translator/lib/block.h"

namespace musashim::translator {
namespace {

/// Bits `from` and above.
std::uint64_t bitsFrom(unsigned from) { return from < 64 ? ~std::uint64_t{0} << from : 0; }

unsigned bitOf(const std::uint8_t* bits, std::uint32_t at) { return (bits[at / 8] >> (at % 8)) & 1U; }

/// 1 if the token at `begin` is a brace or a word that `words` may hold. Without a branch: half of those
/// asked about are.
unsigned isStop(const BlockTokens& plain, unsigned begin, WordFilter::Bits words) {
  std::uint32_t quad;
  std::memcpy(&quad, plain.data + begin, sizeof quad);
  const unsigned length =
      static_cast<unsigned>(plain.word >> begin) & 15U;  // a bit for each of four characters
  const unsigned pair = bitOf(words.pairs, __builtin_bswap32(quad) >> 16U);
  const unsigned known = bitOf(words.quads, (quad * WordFilter::kQuadFactor) >> WordFilter::kQuadShift);
  const unsigned brace = unsigned{(quad & 0xFFU) == '{'} | unsigned{(quad & 0xFFU) == '}'};
  return (length & 1U) != 0 ? ((length >> 1U) & pair & (known | unsigned{length != 15})) : brace;
}

std::uint32_t writeStops(const BlockTokens& plain, WordFilter::Bits words, std::uint32_t first,
                         std::uint32_t* stops) {
  std::uint32_t count = 0;
  for (std::uint64_t left = plain.starts & plain.stop; left != 0; left &= left - 1) {
    const unsigned begin = lowestBit(left);
    const std::uint64_t before = plain.starts & ((std::uint64_t{1} << begin) - 1);
    stops[count] = first + static_cast<std::uint32_t>(__builtin_popcountll(before));
    count += isStop(plain, begin, words);
  }
  return count;
}

/// The text at `from`, or a copy of what is left of it with zeros behind.
const char* readable(PlainLexer& lexer, const char* from) {
  const auto left = static_cast<std::size_t>(lexer.end - from);
  if (left >= kBytesRead) return from;
  std::memset(lexer.last, 0, sizeof lexer.last);
  std::memcpy(lexer.last, from, left);
  return lexer.last;
}

/// Looks at the blocks from lexer.at on, and at one more, in which what begins in them goes on.
void readChunk(PlainLexer& lexer) {
  lexer.chunk = lexer.at;
  const char* text = lexer.chunk;
  for (BlockMasks& masks : lexer.blocks) {
    const std::ptrdiff_t left = lexer.end - text;
    if (left <= 0) {
      masks = {};
      return;
    }
    findMasks(readable(lexer, text), *lexer.pairs, masks);
    if (left < 64) masks.mark &= ~bitsFrom(static_cast<unsigned>(left));
    text += 64;
  }
}

/// The masks of the 64 bytes from lexer.at on, where no word goes on.
BlockMasks masksAt(PlainLexer& lexer) {
  constexpr std::size_t kBytes = PlainLexer::kBlocks * 64;
  if (!lexer.chunk || lexer.at >= lexer.chunk + kBytes) readChunk(lexer);
  const auto offset = static_cast<std::size_t>(lexer.at - lexer.chunk);
  const BlockMasks& low = lexer.blocks[offset / 64];
  const BlockMasks& high = lexer.blocks[offset / 64 + 1];
  const unsigned shift = offset % 64;
  const auto both = [&](std::uint64_t one, std::uint64_t other) {
    return (one >> shift) | ((other << 1U) << (63U - shift));
  };
  return {both(low.word, high.word),
          both(low.digit, high.digit),
          both(low.mark, high.mark),
          both(low.newline, high.newline),
          both(low.point, high.point),
          both(low.joins, high.joins),
          both(low.special, high.special),
          both(low.wordGlue, high.wordGlue),
          both(low.numberGlue, high.numberGlue),
          both(low.stop, high.stop)};
}

void write(PlainLexer& lexer, const BlockTokens& tokens) {
  const std::uint32_t stops = writeStops(tokens, lexer.words, lexer.firstToken, lexer.stops);
  const std::uint32_t count = writeTokens(tokens, lexer.tokens);
  lexer.stops += stops;
  lexer.stopRoom -= stops;
  lexer.tokens += count;
  lexer.tokenRoom -= count;
  lexer.firstToken += count;
}

/// Behind the numbers of some words.
std::uint64_t endsOfNumbers(std::uint64_t word, std::uint64_t digit) {
  // A carry runs through each word that begins with a digit, to the bit behind it.
  return ~word & (word + (word & ~(word << 1) & digit));
}

/// Takes the tokens from lexer.at on to what is special, or as far as can be seen. False if there is more.
bool lexBlock(PlainLexer& lexer) {
  const BlockMasks masks = masksAt(lexer);
  const std::uint64_t points = endsOfNumbers(masks.word, masks.digit) & masks.point;
  const std::uint64_t word = masks.word | points, mark = masks.mark & ~points;
  const std::uint64_t wordStarts = word & ~(word << 1), wordEnds = ~word & (word << 1);
  const std::uint64_t glued =
      (wordEnds & masks.wordGlue) | (endsOfNumbers(word, masks.digit) & masks.numberGlue);
  // Which of three colons belong together is not seen from here.
  const std::uint64_t joined = masks.joins << 1, chains = masks.joins & (masks.joins >> 1);
  const std::uint64_t stops =
      (masks.special & ~points) | glued | chains | (lexer.inDirective ? masks.newline : 0);
  const unsigned stop = stops != 0 ? lowestBit(stops) : 64;
  // Not into a token that goes on there or that the stop belongs to.
  const std::uint64_t between = ~(word & (word << 1)) & ~glued & ~joined & ~bitsFrom(stop + 1);
  const unsigned to = 63 - static_cast<unsigned>(__builtin_clzll(between | 1));
  const std::uint64_t range = ~bitsFrom(to);
  const std::uint64_t newlines = masks.newline & range;
  lexer.lineStart = newlines != 0 ? lexer.at + 64 - __builtin_clzll(newlines) : lexer.lineStart;
  write(lexer, {readable(lexer, lexer.at), static_cast<std::uint32_t>(lexer.at - lexer.begin),
                (wordStarts | (mark & ~joined)) & range, wordEnds | ((mark & ~masks.joins) << 1), masks.word,
                masks.stop, masks.joins});
  lexer.at = static_cast<std::size_t>(lexer.end - lexer.at) > to ? lexer.at + to : lexer.end;
  return stop < 64 || to == 0;  // 0: a word as long as a block
}

std::uint32_t offsetOf(const PlainLexer& lexer, const char* place) {
  return static_cast<std::uint32_t>(place - lexer.begin);
}

bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n'); }

/// One token, which is a stop, from lexer.at to `end`.
void writeStop(PlainLexer& lexer, TokenKind kind, const char* end) {
  *lexer.tokens++ = {offsetOf(lexer, lexer.at), offsetOf(lexer, end), kind, 0, false};
  *lexer.stops++ = lexer.firstToken++;
  --lexer.tokenRoom;
  --lexer.stopRoom;
}

/// At two slashes. False if the comment may go on in the next line.
bool lexLineComment(PlainLexer& lexer) {
  const char* end = lexer.at + 2;
  std::uint64_t newlines = 0;
  for (; lexer.end - end >= 64; end += 64) {
    newlines = are(end, '\n');
    if (newlines != 0) break;
  }
  if (newlines == 0) return false;
  end += lowestBit(newlines);
  const char* last = end - 1;
  while (isBlank(*last)) --last;
  if (*last == '\\') return false;
  *lexer.comments++ = {offsetOf(lexer, lexer.at), offsetOf(lexer, end), TokenKind::LineComment, 0, false};
  --lexer.commentRoom;
  lexer.at = end;
  return true;
}

/// At a quote. False if the string may be spliced.
bool lexString(PlainLexer& lexer) {
  for (const char* end = lexer.at + 1; lexer.end - end >= 64;) {
    const std::uint64_t stops = are(end, '"') | are(end, '\\') | are(end, '\n');
    if (stops == 0) {
      end += 64;
      continue;
    }
    end += lowestBit(stops);
    if (*end == '\\') {
      if (isBlank(end[1]) || end[1] == '\n') return false;
      end += 2;
    } else {
      if (*end == '"') ++end;
      writeStop(lexer, TokenKind::String, end);
      lexer.at = end;
      return true;
    }
  }
  return false;
}

void endDirective(PlainLexer& lexer) {
  writeStop(lexer, TokenKind::DirectiveEnd, lexer.at);
  lexer.inDirective = false;
  lexer.lineStart = ++lexer.at;
}

/// Takes what is special and frequent; false if lexer.at is at nothing of that kind.
bool lexSpecial(PlainLexer& lexer) {
  if (lexer.end - lexer.at < 2) return false;
  switch (*lexer.at) {
    case '/':
      return lexer.at[1] == '/' && lexLineComment(lexer);
    case '"':
      return lexString(lexer);
    case '\n':
      endDirective(lexer);
      return true;
    default:
      return false;
  }
}

bool lexPlain(PlainLexer& lexer) {
  while (lexer.at < lexer.end) {
    if (std::min({lexer.tokenRoom, lexer.stopRoom, lexer.commentRoom}) < kLexRoom) return false;
    if (lexBlock(lexer) && !lexSpecial(lexer)) return true;
  }
  return true;
}

/// Of the 64 bytes from `block` on.
std::uint64_t placesIn(const char* block, WordSearch& search) {
  PlaceMasks masks;
  findPlaces(block, search.pairs, masks);
  const auto [word, dollar, backslash, pair] = masks;
  const std::uint64_t escaped = (backslash << 1) | search.escape;
  const std::uint64_t begins =
      ~((word << 1) | search.word) | (dollar << 1) | search.dollar | (escaped << 1) | search.escaped;
  search.word = word >> 63;
  search.dollar = dollar >> 63;
  search.escape = backslash >> 63;
  search.escaped = escaped >> 63;
  return pair & word & begins;
}

std::uint64_t nextPlaces(WordSearch& search) {
  for (std::uint64_t places = 0; search.at < search.size;) {
    const std::size_t left = search.size - search.at;
    if (search.readable - search.at >= kBytesRead) {
      places = placesIn(search.text + search.at, search);
    } else {
      char last[kBytesRead] = {};
      std::memcpy(last, search.text + search.at, left);
      places = placesIn(last, search);
    }
    if (left < 64) places &= ~bitsFrom(static_cast<unsigned>(left));
    search.at += 64;
    if (places != 0) return places;
  }
  return 0;
}

const char* findBytes(const char* at, const char* end, char first, char second) {
  // A block and the byte behind it.
  for (; end - at > 64; at += 64) {
    if (const std::uint64_t places = pairsOf(at, first, second); places != 0) return at + lowestBit(places);
  }
  for (; end - at > 1; ++at) {
    if (at[0] == first && at[1] == second) return at;
  }
  return nullptr;
}

}  // namespace
}  // namespace musashim::translator
