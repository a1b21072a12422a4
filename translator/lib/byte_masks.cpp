#include "translator/lib/byte_masks.h"

#include "translator/lib/word_bytes.h"

namespace musashim::translator {
namespace {

/// Of sixteen bytes, before the masks are put together.
struct Part {
  std::uint32_t word, digit, blank, newline, special, wordGlue, numberGlue;
};

#ifdef __SSE2__

Part partOf(const char* text) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const __m128i next = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 1));
  const auto is = [](__m128i what, char c) { return _mm_cmpeq_epi8(what, _mm_set1_epi8(c)); };
  const auto either = [](auto... all) {
    __m128i result = _mm_setzero_si128();
    ((result = _mm_or_si128(result, all)), ...);
    return result;
  };
  const auto between = [](__m128i what, char first, char last) {
    return _mm_and_si128(_mm_cmpgt_epi8(what, _mm_set1_epi8(static_cast<char>(first - 1))),
                         _mm_cmplt_epi8(what, _mm_set1_epi8(static_cast<char>(last + 1))));
  };
  const auto mask = [](__m128i what) { return static_cast<std::uint32_t>(_mm_movemask_epi8(what)); };
  const __m128i quote = either(is(bytes, '"'), is(bytes, '\''));
  const __m128i backslash = is(bytes, '\\');
  const __m128i point = is(bytes, '.');
  const __m128i comment = _mm_and_si128(is(bytes, '/'), either(is(next, '/'), is(next, '*'), is(next, '\\')));
  const __m128i scope = _mm_and_si128(is(bytes, ':'), is(next, ':'));
  const __m128i arrow = _mm_and_si128(is(bytes, '-'), is(next, '>'));
  const __m128i points = _mm_and_si128(point, either(is(next, '.'), between(next, '0', '9')));
  const __m128i newline = is(bytes, '\n');
  return {wordMask(text),
          mask(between(bytes, '0', '9')),
          mask(either(is(bytes, ' '), between(bytes, '\t', '\r'))),
          mask(newline),
          mask(either(quote, is(bytes, '#'), backslash, comment, scope, arrow, points)),
          mask(either(quote, backslash)),
          mask(either(point, is(bytes, '\''), is(bytes, '+'), is(bytes, '-')))};
}

#else
Part partOf(const char* text) {
  Part part{};
  for (unsigned i = 0; i < 16; ++i) {
    const char c = text[i], next = text[i + 1];
    const auto set = [&](std::uint32_t& mask, bool holds) { mask |= static_cast<std::uint32_t>(holds) << i; };
    const auto isDigit = [](char what) { return what >= '0' && what <= '9'; };
    const bool quote = c == '"' || c == '\'';
    set(part.word, isWordByte(c));
    set(part.digit, isDigit(c));
    set(part.blank, c == ' ' || (c >= '\t' && c <= '\r'));
    set(part.newline, c == '\n');
    set(part.special, quote || c == '#' || c == '\\' || (c == ':' && next == ':') ||
                          (c == '-' && next == '>') ||
                          (c == '/' && (next == '/' || next == '*' || next == '\\')) ||
                          (c == '.' && (next == '.' || isDigit(next))));
    set(part.wordGlue, quote || c == '\\');
    set(part.numberGlue, c == '.' || c == '\'' || c == '+' || c == '-');
  }
  return part;
}

#endif

}  // namespace

ByteMasks byteMasks(const char* text) {
  std::uint64_t word = 0, digit = 0, blank = 0, newline = 0, special = 0, wordGlue = 0, numberGlue = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const Part part = partOf(text + 16 * i);
    const auto add = [&](std::uint64_t& to, std::uint32_t bits) { to |= std::uint64_t{bits} << (16 * i); };
    add(word, part.word);
    add(digit, part.digit);
    add(blank, part.blank);
    add(newline, part.newline);
    add(special, part.special);
    add(wordGlue, part.wordGlue);
    add(numberGlue, part.numberGlue);
  }
  const std::uint64_t ends = ~word & (word << 1);
  // A carry runs through each word that begins with a digit, to the bit behind it.
  const std::uint64_t numberEnds = ~word & (word + (word & ~(word << 1) & digit));
  return {word, ~(word | blank), newline, special, (ends & wordGlue) | (numberEnds & numberGlue)};
}

}  // namespace musashim::translator
