// Blocks of 64 bytes in one register each, for block_lex_impl.h and block_search_impl.h: with AVX-512 VBMI
// and VBMI2.

#include <immintrin.h>

#include "translator/lib/lex/block.h"

namespace musashim::translator {
namespace {

/// A byte for each of ASCII. What is above it is looked up as nothing.
struct alignas(64) ByteTable {
  std::uint8_t of[128];
};

__m512i look(const std::uint8_t* table, __m512i bytes, __mmask64 ascii) {
  return _mm512_maskz_permutex2var_epi8(ascii, _mm512_loadu_si512(table), bytes,
                                        _mm512_loadu_si512(table + 64));
}

std::uint64_t having(__m512i bytes, unsigned bits) {
  return _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(static_cast<char>(bits)));
}

enum ByteClass : std::uint8_t {
  kWord = 1,
  kBlank = 2,
  kNewline = 4,
  kDigit = 8,
  kBrace = 16,
  kWordGlue = 32,
  kNumberGlue = 64,
  kPoint = 128,
};

constexpr std::uint8_t bitIf(bool holds, unsigned bit) { return static_cast<std::uint8_t>(holds ? bit : 0U); }

template <typename Of>
constexpr ByteTable tableOf(Of of) {
  ByteTable table{};
  for (int c = 0; c < 128; ++c) table.of[c] = of(static_cast<char>(c));
  return table;
}

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isAny(char c, const char* of) {
  for (; *of != '\0'; ++of) {
    if (c == *of) return true;
  }
  return false;
}

constexpr ByteTable kClasses = tableOf([](char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
  return static_cast<std::uint8_t>(bitIf(letter || isDigit(c), kWord) | bitIf(blank, kBlank) |
                                   bitIf(c == '\n', kNewline) | bitIf(isDigit(c), kDigit) |
                                   bitIf(isAny(c, "{}"), kBrace) | bitIf(isAny(c, "\"'\\"), kWordGlue) |
                                   bitIf(isAny(c, ".'+-"), kNumberGlue) | bitIf(c == '.', kPoint));
});

// A byte is special if it and the next one share a bit: one for each of /, ., : and -, one for the rest.
constexpr unsigned kJoins = 4 | 8;
constexpr ByteTable kSpecialFirst = tableOf([](char c) {
  return static_cast<std::uint8_t>(bitIf(c == '/', 1) | bitIf(c == '.', 2) | bitIf(c == ':', 4) |
                                   bitIf(c == '-', 8) | bitIf(isAny(c, "\"'#\\"), 16));
});
constexpr ByteTable kSpecialNext = tableOf([](char c) {
  return static_cast<std::uint8_t>(bitIf(isAny(c, "/*\\"), 1) | bitIf(c == '.' || isDigit(c), 2) |
                                   bitIf(c == ':', 4) | bitIf(c == '>', 8) | 16U);
});

/// What looking at a block begins with.
struct Block {
  explicit Block(const char* text)
      : bytes(_mm512_loadu_si512(text)),
        next(_mm512_loadu_si512(text + 1)),
        above(_mm512_movepi8_mask(bytes)),
        classes(look(kClasses.of, bytes, ~above)) {}

  /// The bits that bytes and next ones share in two tables. A next one above ASCII may have any.
  __m512i shared(const std::uint8_t* first, const std::uint8_t* second) const {
    return _mm512_and_si512(look(first, bytes, ~above), look(second, next, ~__mmask64{}));
  }
  std::uint64_t sharing(const std::uint8_t* first, const std::uint8_t* second) const {
    const __m512i both = shared(first, second);
    return _mm512_test_epi8_mask(both, both);
  }
  std::uint64_t are(char c) const { return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(c)); }

  __m512i bytes, next;
  __mmask64 above;
  __m512i classes;
};

void findMasks(const char* text, const PairFilter& pairs, BlockMasks& masks) {
  const Block block(text);
  masks.word = having(block.classes, kWord) | block.above;
  masks.digit = having(block.classes, kDigit);
  masks.mark = ~(masks.word | having(block.classes, kBlank));
  masks.newline = having(block.classes, kNewline);
  masks.point = having(block.classes, kPoint);
  const __m512i special = block.shared(kSpecialFirst.of, kSpecialNext.of);
  masks.joins = having(special, kJoins) & ~_mm512_movepi8_mask(block.next);
  masks.special = having(special, 0xFFU & ~kJoins);
  masks.wordGlue = having(block.classes, kWordGlue);
  masks.numberGlue = having(block.classes, kNumberGlue);
  masks.stop = block.sharing(pairs.firsts(), pairs.seconds()) | having(block.classes, kBrace);
}

void findPlaces(const char* text, const PairFilter& pairs, PlaceMasks& masks) {
  const Block block(text);
  masks.word = having(block.classes, kWord) | block.above;
  masks.dollar = block.are('$');
  masks.backslash = block.are('\\');
  masks.pair = block.sharing(pairs.firsts(), pairs.seconds()) |
               _mm512_cmpeq_epi8_mask(block.next, _mm512_set1_epi8('\\'));
}

/// Where one byte and then the other stands.
std::uint64_t pairsOf(const char* text, char first, char second) {
  return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(text), _mm512_set1_epi8(first)) &
         _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(text + 1), _mm512_set1_epi8(second));
}

std::uint64_t are(const char* text, char c) {
  return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(text), _mm512_set1_epi8(c));
}

__m512i widened(__m512i bytes, unsigned quarter) {
  switch (quarter) {
    case 0:
      return _mm512_cvtepu8_epi32(_mm512_castsi512_si128(bytes));
    case 1:
      return _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(bytes, 1));
    case 2:
      return _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(bytes, 2));
    default:
      return _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(bytes, 3));
  }
}

/// Sixteen tokens from their three parts.
void store(__m512i begins, __m512i ends, __m512i kinds, Token* tokens) {
  static_assert(sizeof(Token) == 12);
  // Word k of the three vectors that hold the tokens is word k / 3 of part k % 3.
  using Words = std::uint32_t[16];
  alignas(64) static constexpr Words kFirst[3] = {{0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5},
                                                  {21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26},
                                                  {0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0}};
  alignas(64) static constexpr Words kKinds[3] = {{0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0},
                                                  {0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0, 0, 9, 0, 0},
                                                  {10, 0, 0, 11, 0, 0, 12, 0, 0, 13, 0, 0, 14, 0, 0, 15}};
  static constexpr __mmask16 kIsKind[3] = {0x4924, 0x2492, 0x9249};
  char* const out = reinterpret_cast<char*>(tokens);
  for (unsigned i = 0; i < 3; ++i) {
    const __m512i both = _mm512_permutex2var_epi32(begins, _mm512_load_si512(kFirst[i]), ends);
    _mm512_storeu_si512(out + 64 * i,
                        _mm512_mask_permutexvar_epi32(both, kIsKind[i], _mm512_load_si512(kKinds[i]), kinds));
  }
}

/// 0 to 63.
__m512i allNumbers() {
  struct alignas(64) Numbers {
    std::uint8_t bytes[64];
  };
  static constexpr Numbers kNumbers = [] {
    Numbers numbers{};
    for (unsigned i = 0; i < 64; ++i) numbers.bytes[i] = static_cast<std::uint8_t>(i);
    return numbers;
  }();
  return _mm512_load_si512(kNumbers.bytes);
}

std::uint32_t writeStops(const BlockTokens& plain, std::uint32_t first, std::uint32_t* stops) {
  const std::uint64_t stopping = _pext_u64(plain.stop, plain.starts);
  const __m512i numbers = _mm512_maskz_compress_epi8(stopping, allNumbers());
  const auto count = static_cast<std::uint32_t>(__builtin_popcountll(stopping));
  for (unsigned quarter = 0; quarter * 16 < count; ++quarter) {
    _mm512_storeu_si512(stops + 16 * quarter, _mm512_add_epi32(widened(numbers, quarter),
                                                               _mm512_set1_epi32(static_cast<int>(first))));
  }
  return count;
}

std::uint32_t writeTokens(const BlockTokens& plain, Token* tokens) {
  const __m512i numbers = allNumbers(), bytes = _mm512_loadu_si512(plain.data);
  const __mmask64 scopes = _mm512_mask_cmpeq_epi8_mask(plain.joins, bytes, _mm512_set1_epi8(':'));
  const __m512i text =
      _mm512_mask_mov_epi8(_mm512_mask_mov_epi8(bytes, plain.joins, _mm512_set1_epi8(mark::kArrow)), scopes,
                           _mm512_set1_epi8(mark::kScope));
  const __m512i begins = _mm512_maskz_compress_epi8(plain.starts, numbers);
  const __m512i first = _mm512_maskz_compress_epi8(plain.starts, text);
  const __mmask64 strings = _mm512_cmpeq_epi8_mask(first, _mm512_set1_epi8('"'));
  const __mmask64 directiveEnds = _mm512_cmpeq_epi8_mask(first, _mm512_set1_epi8('\n'));
  const __m512i behind = _mm512_maskz_compress_epi8(plain.ends, numbers);
  const __m512i ends = _mm512_mask_sub_epi8(behind, directiveEnds, behind, _mm512_set1_epi8(1));
  // The word bit of each token's first byte.
  const std::uint64_t word = _pext_u64(plain.word, plain.starts);
  const __mmask64 digit =
      _mm512_cmplt_epu8_mask(_mm512_sub_epi8(first, _mm512_set1_epi8('0')), _mm512_set1_epi8(10));
  const __m512i marks = _mm512_maskz_mov_epi8(~(word | strings | directiveEnds), first);
  const auto with = [](__m512i kinds, __mmask64 which, TokenKind kind) {
    return _mm512_mask_mov_epi8(kinds, which, _mm512_set1_epi8(static_cast<char>(kind)));
  };
  static_assert(static_cast<int>(TokenKind::Identifier) == 0);
  const __m512i plainKinds =
      with(with(_mm512_setzero_si512(), ~word, TokenKind::Punctuator), digit, TokenKind::Number);
  const __m512i kinds =
      with(with(plainKinds, strings, TokenKind::String), directiveEnds, TokenKind::DirectiveEnd);
  const auto count = static_cast<std::uint32_t>(__builtin_popcountll(plain.starts));
  const __m512i offset = _mm512_set1_epi32(static_cast<int>(plain.offset));
  for (unsigned quarter = 0; quarter * 16 < count; ++quarter) {
    const __m512i kind =
        _mm512_or_si512(widened(kinds, quarter), _mm512_slli_epi32(widened(marks, quarter), 8));
    store(_mm512_add_epi32(widened(begins, quarter), offset),
          _mm512_add_epi32(widened(ends, quarter), offset), kind, tokens + 16 * quarter);
  }
  return count;
}

}  // namespace
}  // namespace musashim::translator
