#include "translator/lib/lex/prefilter.h"

#include "translator/lib/lex/word_bytes.h"
#include "translator/lib/lex/word_search.h"
#include "translator/lib/match/launches.h"

namespace musashim::translator {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

bool opensHeader(std::string_view text, std::size_t begin) {
  return begin > 0 && (text[begin - 1] == '<' || text[begin - 1] == '"');
}

}  // namespace

Prefilter::Prefilter(const Lexicon& lexicon) : lexicon_(lexicon) {
  WordFilter filter = lexicon.words();
  const auto allow = [&](std::string_view word) {
    if (word.size() < 2) return;
    words_.insert(word);
    filter.allow(word);
  };
  lexicon.visitTexts([&](std::string_view text) {
    // The first word of a header's or a library's name, and the last of a suffix.
    const char* const end = endOfWord(text.data(), text.data() + text.size());
    allow(text.substr(0, static_cast<std::size_t>(end - text.data())));
  });
  for (const std::string_view suffix : {"cu", "cuh", "mu", "muh"}) allow(suffix);
  finder_ = WordFinder(filter);
}

const Prefilter& Prefilter::standard() {
  static const Prefilter prefilter(Lexicon::standard());
  return prefilter;
}

/// The beginning of a name changes beside ##, beside a comma if what follows completes it, and as the
/// argument of a macro that does.
bool Prefilter::mayBeHalf(std::string_view text, std::size_t begin, std::size_t end) const {
  const std::string_view word = text.substr(begin, end - begin);
  const auto next = [&](std::size_t from) {
    const std::size_t at = text.find_first_not_of(kBlanks, from);
    return at == std::string_view::npos ? text.size() : at;
  };
  // A comment or a splice may hide what follows.
  const auto hides = [&](std::size_t at) {
    return at + 1 < text.size() &&
           (text[at] == '\\' || (text[at] == '/' && (text[at + 1] == '/' || text[at + 1] == '*')));
  };
  const std::size_t mark = next(end);
  if (mark == text.size()) return false;
  if (text[mark] == '#' || hides(mark)) return true;
  if (text[mark] != ',' && text[mark] != ')') return false;
  // What a macro completes stands alone between the marks of its arguments.
  const std::size_t before = text.substr(0, begin).find_last_not_of(kBlanks);
  const bool opens =
      before == std::string_view::npos ||
      std::string_view("(,/\\").find(text[before]) != std::string_view::npos ||
      text.substr(before, begin - before).find('\n') != std::string_view::npos;  // a comment, perhaps
  if (opens && lexicon_.mayBeginNames(word)) return true;
  if (text[mark] == ')') return false;
  const std::size_t other = next(mark + 1);
  if (hides(other)) return true;
  const char* const from = text.data() + other;
  const char* const to = endOfWord(from, text.data() + text.size());
  if (to != text.data() + text.size() && *to == '\\') return true;
  KnownName name;
  return lexicon_.find(std::string(word).append(from, to), name);
}

bool Prefilter::matters(std::string_view text, std::size_t begin, std::size_t end) const {
  const std::string_view word = text.substr(begin, end - begin);
  const char next = end < text.size() ? text[end] : '\0';
  if (next == '\\') return true;
  // "k.cuh"
  if (begin > 0 && text[begin - 1] == '.' && (word == "cu" || word == "cuh" || word == "mu" || word == "muh"))
    return true;
  const bool inPath = next == '.' || next == '/' || next == '>' || next == '"' || next == '-';
  if (inPath && words_.contains(word)) return true;
  // By its beginning, whatever follows.
  if (opensHeader(text, begin) &&
      (lexicon_.unportedHeader(text.substr(begin)) || (lexicon_.toMusa() && notedHeader(text.substr(begin)))))
    return true;
  if (!lexicon_.words().mayHold(word)) return false;
  KnownName name;
  const bool known = lexicon_.find(word, name);
  if (known && name.kind == NameKind::Number) return false;
  if (known && name.kind != NameKind::Word) return true;
  if (!known && lexicon_.toMusa() && findTarget(word, name)) return true;
  if (!known) return mayBeHalf(text, begin, end);
  // DeviceType::CUDA
  const std::size_t before = begin > 0 ? text.find_last_not_of(kBlanks, begin - 1) : std::string_view::npos;
  if (before != std::string_view::npos && (text[before] == ':' || text[before] == '\\')) return true;
  // A bare word changes beside ## or a comma, as a namespace, as the last argument of a macro, and as a call.
  const std::size_t after = text.find_first_not_of(kBlanks, end);
  return after != std::string_view::npos &&
         std::string_view("#,:()\\/{;=").find(text[after]) != std::string_view::npos;
}

/// Are the first four characters all of one word, and such as no word that matters begins with? What headers
/// go on with is not known here.
bool Prefilter::isOther(std::string_view text, std::size_t begin) const {
  const std::string_view four = text.substr(begin, 4);
  return four.size() == 4 && isWordByte(four[1]) && isWordByte(four[2]) && isWordByte(four[3]) &&
         !finder_.words.mayHold(four) && !opensHeader(text, begin);
}

bool Prefilter::mayMatter(std::string_view text) const {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // else it would belong to the first word
  const char* const data = text.data();
  const bool holdsWord = anyWord(text, text.size(), finder_, [&](std::size_t begin) {
    if (isOther(text, begin)) return false;
    const char* const end = endOfWord(data + begin + 1, data + text.size());
    return matters(text, begin, static_cast<std::size_t>(end - data));
  });
  return holdsWord || (lexicon_.toMusa() && mayHoldLaunch(text));
}

}  // namespace musashim::translator
