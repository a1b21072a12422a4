// Blocks of 64 bytes by vectors of 16 or 32, for block_lex_impl.h and block_search_impl.h. Nothing here is
// shared between the files that include it, so that none runs the other's instructions.

#include <cstring>

#include "translator/lib/lex/block.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace musashim::translator {
namespace {

#ifdef __AVX2__
constexpr unsigned kVector = 32;
#else
constexpr unsigned kVector = 16;
#endif
using Bytes [[gnu::vector_size(kVector)]] = signed char;  // comparisons give 0 or -1 for each

Bytes load(const char* text) {
  Bytes bytes;
  std::memcpy(&bytes, text, sizeof bytes);
  return bytes;
}

std::uint64_t maskOf(Bytes flags) {
#if defined(__AVX2__)
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(reinterpret_cast<__m256i>(flags)));
#elif defined(__SSE2__)
  return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(flags)));
#else
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < kVector; ++i) mask |= std::uint64_t{flags[i] != 0} << i;
  return mask;
#endif
}

#ifdef __AVX2__

/// What `table` has for each index of 0 to 15.
Bytes look(const PairFilter::Halves& table, Bytes indices) {
  __m128i once;
  std::memcpy(&once, &table, sizeof once);
  return reinterpret_cast<Bytes>(
      _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(once), reinterpret_cast<__m256i>(indices)));
}

Bytes pairsOf(Bytes bytes, Bytes next, const PairFilter& pairs) {
  const auto high = [](Bytes both) { return (both >> 4) & 15; };
  const Bytes groups = look(pairs.firstLow(), bytes & 15) & look(pairs.firstHigh(), high(bytes)) &
                       look(pairs.secondLow(), next & 15) & look(pairs.secondHigh(), high(next));
  return groups != 0;
}

#else

Bytes pairsOf(Bytes, Bytes, const PairFilter&) { return ~Bytes{}; }

#endif

Bytes digits(Bytes bytes) { return (bytes >= '0') & (bytes <= '9'); }

Bytes words(Bytes bytes) {
  const Bytes lower = bytes | 0x20;
  // What is above ASCII is negative.
  return ((lower >= 'a') & (lower <= 'z')) | digits(bytes) | (bytes == '_') | (bytes == '$') | (bytes < 0);
}

Bytes specials(Bytes bytes, Bytes next) {
  const Bytes comment = (bytes == '/') & ((next == '/') | (next == '*') | (next == '\\'));
  const Bytes points = (bytes == '.') & ((next == '.') | digits(next));
  return (bytes == '"') | (bytes == '\'') | (bytes == '#') | (bytes == '\\') | comment | points;
}

/// Puts together what `flags` says of each vector's bytes.
template <typename Flags>
std::uint64_t masked(const char* text, Flags flags) {
  std::uint64_t mask = 0;
  for (unsigned at = 0; at < 64; at += kVector)
    mask |= maskOf(flags(load(text + at), load(text + at + 1))) << at;
  return mask;
}

void findMasks(const char* text, const PairFilter& pairs, BlockMasks& masks) {
  masks.word = masked(text, [](Bytes bytes, Bytes) { return words(bytes); });
  masks.digit = masked(text, [](Bytes bytes, Bytes) { return digits(bytes); });
  masks.mark = ~(masks.word | masked(text, [](Bytes bytes, Bytes) {
                   return (bytes == ' ') | ((bytes >= '\t') & (bytes <= '\r'));
                 }));
  masks.newline = masked(text, [](Bytes bytes, Bytes) { return bytes == '\n'; });
  masks.point = masked(text, [](Bytes bytes, Bytes) { return bytes == '.'; });
  masks.joins = masked(text, [](Bytes bytes, Bytes next) {
    return ((bytes == ':') & (next == ':')) | ((bytes == '-') & (next == '>'));
  });
  masks.special = masked(text, specials);
  masks.wordGlue =
      masked(text, [](Bytes bytes, Bytes) { return (bytes == '"') | (bytes == '\'') | (bytes == '\\'); });
  masks.numberGlue = masked(text, [](Bytes bytes, Bytes) {
    return (bytes == '.') | (bytes == '\'') | (bytes == '+') | (bytes == '-');
  });
  masks.stop = masked(text, [&](Bytes bytes, Bytes next) {
    return pairsOf(bytes, next, pairs) | (bytes == '{') | (bytes == '}');
  });
}

void findPlaces(const char* text, const PairFilter& pairs, PlaceMasks& masks) {
  masks.word = masked(text, [](Bytes bytes, Bytes) { return words(bytes); });
  masks.dollar = masked(text, [](Bytes bytes, Bytes) { return bytes == '$'; });
  masks.backslash = masked(text, [](Bytes bytes, Bytes) { return bytes == '\\'; });
  masks.pair =
      masked(text, [&](Bytes bytes, Bytes next) { return pairsOf(bytes, next, pairs) | (next == '\\'); });
}

/// Where one byte and then the other stands.
std::uint64_t pairsOf(const char* text, char first, char second) {
  return masked(text, [&](Bytes bytes, Bytes next) { return (bytes == first) & (next == second); });
}

std::uint64_t are(const char* text, char c) {
  return masked(text, [c](Bytes bytes, Bytes) { return bytes == c; });
}

std::uint32_t writeStops(const BlockTokens& plain, std::uint32_t first, std::uint32_t* stops) {
  std::uint32_t count = 0;
  for (std::uint64_t left = plain.starts & plain.stop; left != 0; left &= left - 1) {
    const std::uint64_t before = plain.starts & ((left & (0 - left)) - 1);
    stops[count++] = first + static_cast<std::uint32_t>(__builtin_popcountll(before));
  }
  return count;
}

TokenKind kindOf(char first, bool word) {
  if (word) return first >= '0' && first <= '9' ? TokenKind::Number : TokenKind::Identifier;
  return first == '"' ? TokenKind::String : first == '\n' ? TokenKind::DirectiveEnd : TokenKind::Punctuator;
}

std::uint32_t writeTokens(const BlockTokens& plain, Token* tokens) {
  Token* next = tokens;
  std::uint64_t ends = plain.ends;
  for (std::uint64_t starts = plain.starts; starts != 0; starts &= starts - 1, ends &= ends - 1) {
    const unsigned begin = lowestBit(starts);
    const char byte = plain.data[begin];
    const char first = ((plain.joins >> begin) & 1) == 0 ? byte : byte == ':' ? mark::kScope : mark::kArrow;
    const bool word = ((plain.word >> begin) & 1) != 0;
    const TokenKind kind = kindOf(first, word);
    const unsigned end = (ends != 0 ? lowestBit(ends) : 64) - (kind == TokenKind::DirectiveEnd ? 1 : 0);
    *next++ = {plain.offset + begin, plain.offset + end, kind, kind == TokenKind::Punctuator ? first : '\0',
               false};
  }
  return static_cast<std::uint32_t>(next - tokens);
}

}  // namespace
}  // namespace musashim::translator
