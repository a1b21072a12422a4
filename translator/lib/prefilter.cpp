#include "translator/lib/prefilter.h"

#include <bit>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace musashim::translator {
namespace {

constexpr bool isWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

constexpr auto makeWordBytes() {
  std::array<bool, 256> result{};
  for (int c = 0; c < 256; ++c) result[static_cast<std::size_t>(c)] = isWordByte(static_cast<char>(c));
  return result;
}
constexpr auto kWordBytes = makeWordBytes();

bool isWord(char c) { return kWordBytes[static_cast<unsigned char>(c)]; }

/// A bit for each of the 32 bytes at `text` that belongs to a word.
std::uint32_t wordMask(const char* text) {
#ifdef __SSE2__
  std::uint32_t mask = 0;
  for (int half = 0; half < 2; ++half) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * half));
    const __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    // Signed comparisons; bytes above ASCII are negative, and belong to words.
    const __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(lower, _mm_set1_epi8('a' - 1)),
                                         _mm_cmplt_epi8(lower, _mm_set1_epi8('z' + 1)));
    const __m128i digit = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('0' - 1)),
                                        _mm_cmplt_epi8(bytes, _mm_set1_epi8('9' + 1)));
    const __m128i mark =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('$')));
    const __m128i high = _mm_cmplt_epi8(bytes, _mm_setzero_si128());
    const __m128i word = _mm_or_si128(_mm_or_si128(letter, digit), _mm_or_si128(mark, high));
    mask |= static_cast<std::uint32_t>(_mm_movemask_epi8(word)) << (16 * half);
  }
  return mask;
#else
  std::uint32_t mask = 0;
  for (unsigned i = 0; i < 32; ++i) mask |= static_cast<std::uint32_t>(isWord(text[i])) << i;
  return mask;
#endif
}

unsigned pairOf(char first, char second) {
  return static_cast<unsigned char>(first) * 256U + static_cast<unsigned char>(second);
}

}  // namespace

Prefilter::Prefilter(const Lexicon& lexicon) : lexicon_(lexicon), filter_{} {
  for (unsigned pair = 0; pair < 65536; ++pair) {
    const char first = static_cast<char>(pair / 256), second = static_cast<char>(pair % 256);
    const bool target = lexicon.toMusa() && ((kTargetFilter[pair / 8] >> (pair % 8)) & 1U);
    if (!lexicon.mayBeKnown(first, second) && !target) continue;
    filter_[pair / 8] = static_cast<std::uint8_t>(filter_[pair / 8] | (1U << (pair % 8)));
    // A name may be broken after its first character.
    const unsigned broken = pairOf(first, '\\');
    filter_[broken / 8] = static_cast<std::uint8_t>(filter_[broken / 8] | (1U << (broken % 8)));
  }
  lexicon.visitTexts([&](std::string_view text) {
    // The first word of a header's or a library's name, and the last of a suffix.
    std::size_t end = 0;
    while (end < text.size() && isWord(text[end])) ++end;
    allow(text.substr(0, end));
  });
  for (const std::string_view suffix : {"cu", "cuh", "mu", "muh"}) allow(suffix);
}

const Prefilter& Prefilter::standard() {
  static const Prefilter prefilter(Lexicon::standard());
  return prefilter;
}

void Prefilter::allow(std::string_view word) {
  if (word.size() < 2) return;
  words_.insert(word);
  const unsigned pair = pairOf(word[0], word[1]);
  filter_[pair / 8] = static_cast<std::uint8_t>(filter_[pair / 8] | (1U << (pair % 8)));
}

bool Prefilter::matters(std::string_view text, std::size_t begin, std::size_t end) const {
  const std::string_view word = text.substr(begin, end - begin);
  const char next = end < text.size() ? text[end] : '\0';
  if (next == '\\') return true;
  // "k.cuh"
  if (begin > 0 && text[begin - 1] == '.' && (word == "cu" || word == "cuh" || word == "mu" || word == "muh"))
    return true;
  const bool inPath = next == '.' || next == '/' || next == '>' || next == '"';
  if (inPath && (words_.contains(word) || lexicon_.unportedHeader(word))) return true;
  KnownName name;
  if (lexicon_.find(word, name)) {
    if (name.kind != NameKind::Word) return true;
    // A bare word changes beside ## or a comma, and as a namespace.
    const std::size_t after = text.find_first_not_of(" \t\r\n\v\f", end);
    return after != std::string_view::npos &&
           std::string_view("#,:\\/").find(text[after]) != std::string_view::npos;
  }
  return lexicon_.toMusa() && findTarget(word, name);
}

bool Prefilter::mayMatter(std::string_view text) const {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // else it would belong to the first word
  const char* data = text.data();
  const std::size_t size = text.size();
  const auto checkAt = [&](std::size_t begin) {
    if (begin + 1 >= size) return false;
    const unsigned pair = pairOf(data[begin], data[begin + 1]);
    if (!((filter_[pair / 8] >> (pair % 8)) & 1U)) return false;
    std::size_t end = begin + 1;
    while (end < size && isWord(data[end])) ++end;
    return matters(text, begin, end);
  };
  // In a string, "\ncudaFree" holds cudaFree.
  const auto check = [&](std::size_t begin) {
    return checkAt(begin) || (begin > 0 && data[begin - 1] == '\\' && checkAt(begin + 1));
  };
  std::uint32_t before = 0;  // 1 if the byte before the block belongs to a word
  std::size_t at = 0;
  for (; at + 32 <= size; at += 32) {
    const std::uint32_t mask = wordMask(data + at);
    std::uint32_t starts = mask & ~((mask << 1) | before);
    before = mask >> 31;
    for (; starts != 0; starts &= starts - 1) {
      if (check(at + static_cast<std::size_t>(std::countr_zero(starts)))) return true;
    }
  }
  for (; at < size; ++at) {
    const bool word = isWord(data[at]);
    if (word && !before && check(at)) return true;
    before = word;
  }
  return false;
}

}  // namespace musashim::translator
