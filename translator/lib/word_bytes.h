#pragma once

// The bytes that words are made of: letters, digits, underscore, dollar, and everything above ASCII, because
// C++ allows UTF-8 in identifiers, and no name of ours has one. Looked at sixteen at a time.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
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

/// The first byte from `at` on that belongs to no word.
inline const char* endOfWord(const char* at, const char* end) {
  for (; end - at >= 16; at += 16) {
    const std::uint32_t others = ~wordMask(at) & 0xFFFFU;
    if (others != 0) return at + std::countr_zero(others);
  }
  while (at < end && isWordByte(*at)) ++at;
  return at;
}

/// Does `check` hold for the beginning of some word? Asked in order, until it does.
template <typename Check>
bool anyWord(std::string_view text, Check check) {
  constexpr std::size_t kBlock = 32;
  std::uint32_t before = 0;  // 1 if the byte before the block belongs to a word
  for (std::size_t at = 0; at < text.size(); at += kBlock) {
    const char* block = text.data() + at;
    char last[kBlock];
    if (text.size() - at < kBlock) {
      std::fill(std::copy(block, text.data() + text.size(), last), last + kBlock, '\0');
      block = last;
    }
    const std::uint32_t words = wordMask(block) | (wordMask(block + 16) << 16);
    std::uint32_t starts = words & ~((words << 1) | before);
    before = words >> 31;
    for (; starts != 0; starts &= starts - 1) {
      if (check(at + static_cast<std::size_t>(std::countr_zero(starts)))) return true;
    }
  }
  return false;
}

}  // namespace musashim::translator
