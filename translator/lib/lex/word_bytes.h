#pragma once

// The bytes that words are made of: letters, digits, underscore, dollar, and everything above ASCII, because
// C++ allows UTF-8 in identifiers, and no name of ours has one. Looked at sixteen at a time.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace musashim::translator {

inline constexpr auto kWordBytes = [] {
  std::array<bool, 256> result{};
  for (int c = 0; c < 256; ++c) {
    result[static_cast<std::size_t>(c)] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                          (c >= '0' && c <= '9') || c == '_' || c == '$' || c >= 0x80;
  }
  return result;
}();

inline bool isWordByte(char c) { return kWordBytes[static_cast<unsigned char>(c)]; }

/// A bit for each of the 16 bytes at `text` that belongs to a word.
inline std::uint32_t wordMask(const char* text) {
#ifdef __SSE2__
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
  // Signed comparisons; bytes above ASCII are negative.
  const __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(lower, _mm_set1_epi8('a' - 1)),
                                       _mm_cmplt_epi8(lower, _mm_set1_epi8('z' + 1)));
  const __m128i digit = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('0' - 1)),
                                      _mm_cmplt_epi8(bytes, _mm_set1_epi8('9' + 1)));
  const __m128i mark =
      _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('$')));
  // movemask takes the top bit, which bytes above ASCII have themselves.
  const __m128i word = _mm_or_si128(_mm_or_si128(letter, digit), _mm_or_si128(mark, bytes));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(word));
#else
  std::uint32_t mask = 0;
  for (unsigned i = 0; i < 16; ++i) mask |= static_cast<std::uint32_t>(isWordByte(text[i])) << i;
  return mask;
#endif
}

/// A bit for each of the 16 bytes at `text` that ends a run of a literal in `quote`: that, a backslash, a
/// new-line.
inline std::uint32_t runEnds(const char* text, char quote) {
#ifdef __SSE2__
  __m128i bytes;
  std::memcpy(&bytes, text, sizeof bytes);
  const auto are = [&](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
  return static_cast<std::uint32_t>(
      _mm_movemask_epi8(_mm_or_si128(are(quote), _mm_or_si128(are('\\'), are('\n')))));
#else
  std::uint32_t mask = 0;
  for (unsigned i = 0; i < 16; ++i)
    mask |= static_cast<std::uint32_t>(text[i] == quote || text[i] == '\\' || text[i] == '\n') << i;
  return mask;
#endif
}

/// The first byte from `at` on that a literal in `quote` does not simply go on with.
inline const char* endOfRun(const char* at, const char* end, char quote) {
  for (; end - at >= 16; at += 16) {
    const std::uint32_t ends = runEnds(at, quote);
    if (ends != 0) return at + std::countr_zero(ends);
  }
  while (at < end && *at != quote && *at != '\\' && *at != '\n') ++at;
  return at;
}

/// The first byte from `at` on that belongs to no word.
inline const char* endOfWord(const char* at, const char* end) {
  for (; end - at >= 16; at += 16) {
    const std::uint32_t others = ~wordMask(at) & 0xFFFFU;
    if (others != 0) return at + std::countr_zero(others);
  }
  while (at < end && isWordByte(*at)) ++at;
  return at;
}

}  // namespace musashim::translator
