#include "translator/lib/lex/prefilter.h"

#include <algorithm>

#include "translator/lib/lex/byte_masks.h"
#include "translator/lib/lex/word_bytes.h"
#include "translator/lib/lex/word_search.h"
#include "translator/lib/match/launches.h"

namespace musashim::translator {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

char byteAt(std::string_view text, std::size_t at) { return at < text.size() ? text[at] : '\0'; }

/// What a place is taken to be behind, which blanks, splices and comments part from it.
struct Behind {
  std::size_t at;  // the text's end if there is nothing
  bool known;      // false: an escape, or a comment in what may be a string
};

/// Behind what is no token, from `at` on.
Behind behindBlanks(std::string_view text, std::size_t at) {
  for (;;) {
    at = std::min(text.find_first_not_of(kBlanks, at), text.size());
    if (byteAt(text, at) == '\\') {
      at = text.find_first_not_of(" \t\r\v\f", at + 1);
      if (at == std::string_view::npos || text[at] != '\n') return {text.size(), false};
      continue;
    }
    const char next = byteAt(text, at + 1);
    if (byteAt(text, at) != '/' || (next != '/' && next != '*' && next != '\\')) return {at, true};
    if (next == '\\') return {at, false};
    const std::size_t end = next == '/' ? text.find('\n', at) : text.find("*/", at + 2);
    const std::string_view comment = text.substr(at, end == std::string_view::npos ? end : end - at);
    if (comment.find_first_of("\\\"") != std::string_view::npos) return {at, false};
    at += comment.size() + (next == '*' ? 2 : 0);
  }
}

/// Is it the beginning of a name, or such a name? Only then is it half of one.
bool mayBeginName(const Lexicon& lexicon, std::string_view word) {
  return lexicon.mayBeginNames(word) ||
         std::any_of(nameFamilies().begin(), nameFamilies().end(), [&](const NameFamily& family) {
           const std::string_view prefix = lexicon.toMusa() ? family.prefix : family.becomes;
           return prefix.starts_with(word) || word.starts_with(prefix);
         });
}

/// Does the text join words by macros of its own, perhaps?
bool pastes(std::string_view text) {
  return findBytes(text, '#', '#') != std::string_view::npos ||
         findBytes(text, '#', '\\') != std::string_view::npos;
}

/// May an asm statement go on so, behind its keyword?
bool mayOpenAssembly(std::string_view text, std::size_t end) {
  const Behind next = behindBlanks(text, end);
  const char mark = byteAt(text, next.at);
  return !next.known || mark == '(' || mark == '#' || isWordByte(mark);
}

/// Does a word end at the backslash, of an escape that stands for no part of a name?
bool isEscape(std::string_view text, std::size_t backslash) {
  return backslash + 1 < text.size() &&
         std::string_view("nrtabfv\"'").find(text[backslash + 1]) != std::string_view::npos;
}

bool opensHeader(std::string_view text, std::size_t begin) {
  return begin > 0 && (text[begin - 1] == '<' || text[begin - 1] == '"');
}

}  // namespace

Prefilter::Prefilter(const Lexicon& lexicon) : lexicon_(lexicon) {
  WordFilter filter = lexicon.words();
  lexicon.visitTexts([&](std::string_view text) {
    // The first word of a header's or a library's name.
    const char* const end = endOfWord(text.data(), text.data() + text.size());
    const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.data()));
    if (word.size() < 2) return;
    texts_[word].push_back(text);
    filter.allow(word);
  });
  for (const std::string_view suffix : {"cu", "cuh", "mu", "muh"}) filter.allow(suffix);
  finder_ = WordFinder(filter);
}

const Prefilter& Prefilter::standard() {
  static const Prefilter prefilter(Lexicon::standard());
  return prefilter;
}

/// The beginning of a name changes beside ##, beside a comma if what follows completes it, and as the
/// argument of a macro that does: of one of the text's own, or one whose result is called.
bool Prefilter::mayBeHalf(std::string_view text, std::size_t begin, std::size_t end) const {
  const std::string_view word = text.substr(begin, end - begin);
  const auto begins = [&] { return mayBeginName(lexicon_, word); };  // slow
  const Behind next = behindBlanks(text, end);
  if (!next.known) return begins();
  const char mark = byteAt(text, next.at), behind = byteAt(text, next.at + 1);
  if (mark == '#') return (behind == '#' || behind == '\\') && begins();
  if (mark != ',' && mark != ')') return false;
  const Behind other = behindBlanks(text, next.at + 1);
  if (!other.known) return begins();
  // What a macro completes stands alone between the marks of its arguments.
  const std::size_t before = text.substr(0, begin).find_last_not_of(kBlanks);
  const bool opens =
      before == std::string_view::npos ||
      std::string_view("(,/\\").find(text[before]) != std::string_view::npos ||
      text.substr(before, begin - before).find('\n') != std::string_view::npos;  // a comment, perhaps
  if (opens && begins() && (byteAt(text, other.at) == '(' || pastes(text))) return true;
  if (mark == ')') return false;
  const char* const from = text.data() + other.at;
  const char* const to = endOfWord(from, text.data() + text.size());
  if (to != text.data() + text.size() && *to == '\\') return begins();
  KnownName name;
  return lexicon_.find(std::string(word).append(from, to), name);
}

/// The name of a header or a library, or the beginning of one that goes on with anything.
bool Prefilter::opensText(std::string_view text, std::size_t begin, std::string_view word) const {
  const auto found = texts_.find(word);
  return found != texts_.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](std::string_view whole) { return text.substr(begin).starts_with(whole); });
}

bool Prefilter::matters(std::string_view text, std::size_t begin, std::size_t end) const {
  const std::string_view word = text.substr(begin, end - begin);
  const char next = end < text.size() ? text[end] : '\0';
  if (next == '\\' && !isEscape(text, end)) return true;
  // "k.cuh"
  if (begin > 0 && text[begin - 1] == '.' && (word == "cu" || word == "cuh" || word == "mu" || word == "muh"))
    return true;
  const bool inPath = next == '.' || next == '/' || next == '>' || next == '"' || next == '-';
  if (inPath && opensText(text, begin, word)) return true;
  // By its beginning, whatever follows.
  if (opensHeader(text, begin) &&
      (lexicon_.unportedHeader(text.substr(begin)) || (lexicon_.toMusa() && notedHeader(text.substr(begin)))))
    return true;
  if (!lexicon_.words().mayHold(word)) return false;
  KnownName name;
  const bool known = lexicon_.find(word, name);
  if (known && name.kind == NameKind::Number) return false;
  if (known && name.kind == NameKind::HasInclude) return false;  // its header tells
  if (known && name.kind == NameKind::Assembly) return mayOpenAssembly(text, end);
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
