// The functions of byte_masks.h for the instructions that the including file is compiled for. Nothing here
// is shared between those files, so that none runs the other's instructions.

#include <cstring>

#include "translator/lib/byte_masks.h"

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
  return (bytes == '"') | (bytes == '\'') | (bytes == '#') | (bytes == '\\') | comment | points |
         ((bytes == ':') & (next == ':')) | ((bytes == '-') & (next == '>'));
}

/// Puts together what `flags` says of each vector's bytes.
template <typename Flags>
std::uint64_t masked(const char* text, Flags flags) {
  std::uint64_t mask = 0;
  for (unsigned at = 0; at < 64; at += kVector)
    mask |= maskOf(flags(load(text + at), load(text + at + 1))) << at;
  return mask;
}

TokenMasks tokenMasks(const char* text, const PairFilter& pairs) {
  const std::uint64_t word = masked(text, [](Bytes bytes, Bytes) { return words(bytes); });
  const std::uint64_t digit = masked(text, [](Bytes bytes, Bytes) { return digits(bytes); });
  const std::uint64_t starts = word & ~(word << 1);
  const std::uint64_t ends = ~word & (word << 1);
  // A carry runs through each word that begins with a digit, to the bit behind it.
  const std::uint64_t numberEnds = ~word & (word + (starts & digit));
  const std::uint64_t blank =
      masked(text, [](Bytes bytes, Bytes) { return (bytes == ' ') | ((bytes >= '\t') & (bytes <= '\r')); });
  const std::uint64_t wordGlue =
      masked(text, [](Bytes bytes, Bytes) { return (bytes == '"') | (bytes == '\'') | (bytes == '\\'); });
  const std::uint64_t numberGlue = masked(text, [](Bytes bytes, Bytes) {
    return (bytes == '.') | (bytes == '\'') | (bytes == '+') | (bytes == '-');
  });
  TokenMasks masks;
  masks.word = word;
  masks.mark = ~(word | blank);
  masks.newline = masked(text, [](Bytes bytes, Bytes) { return bytes == '\n'; });
  masks.special = masked(text, specials);
  masks.glued = (ends & wordGlue) | (numberEnds & numberGlue);
  masks.stop = masked(text, [&](Bytes bytes, Bytes next) {
    return pairsOf(bytes, next, pairs) | (bytes == '{') | (bytes == '}');
  });
  return masks;
}

/// Of the 64 bytes of the text that `block` holds.
std::uint64_t placesIn(const char* block, WordSearch& search) {
  const std::uint64_t word = masked(block, [](Bytes bytes, Bytes) { return words(bytes); });
  const std::uint64_t dollar = masked(block, [](Bytes bytes, Bytes) { return bytes == '$'; });
  const std::uint64_t backslash = masked(block, [](Bytes bytes, Bytes) { return bytes == '\\'; });
  const std::uint64_t pair = masked(
      block, [&](Bytes bytes, Bytes next) { return pairsOf(bytes, next, search.pairs) | (next == '\\'); });
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
  constexpr std::size_t kBlock = 64;
  for (std::uint64_t places = 0; search.at < search.size;) {
    const std::size_t left = search.size - search.at;
    if (left >= kBytesRead) {
      places = placesIn(search.text + search.at, search);
    } else {
      char last[kBytesRead] = {};
      std::memcpy(last, search.text + search.at, left);
      places = placesIn(last, search);
    }
    search.at += kBlock;
    if (places != 0) return places;
  }
  return 0;
}

}  // namespace
}  // namespace musashim::translator
