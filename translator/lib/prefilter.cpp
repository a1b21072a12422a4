#include "translator/lib/prefilter.h"

#include "translator/lib/word_bytes.h"
#include "translator/lib/word_search.h"

namespace musashim::translator {

Prefilter::Prefilter(const Lexicon& lexicon) : lexicon_(lexicon) {
  WordFilter filter = lexicon.words();
  const auto allow = [&](std::string_view word) {
    if (word.size() < 2) return;
    words_.insert(word);
    filter.allowPair(word[0], word[1]);
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

bool Prefilter::matters(std::string_view text, std::size_t begin, std::size_t end) const {
  const std::string_view word = text.substr(begin, end - begin);
  const char next = end < text.size() ? text[end] : '\0';
  if (next == '\\') return true;
  // "k.cuh"
  if (begin > 0 && text[begin - 1] == '.' && (word == "cu" || word == "cuh" || word == "mu" || word == "muh"))
    return true;
  const bool inPath = next == '.' || next == '/' || next == '>' || next == '"';
  if (inPath && words_.contains(word)) return true;
  // By its beginning, whatever follows.
  const bool opensHeader = begin > 0 && (text[begin - 1] == '<' || text[begin - 1] == '"');
  if (opensHeader && lexicon_.unportedHeader(text.substr(begin))) return true;
  if (!lexicon_.words().mayHold(word)) return false;
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
  const char* const data = text.data();
  return anyWord(text, finder_, [&](std::size_t begin) {
    const char* const end = endOfWord(data + begin + 1, data + text.size());
    return matters(text, begin, static_cast<std::size_t>(end - data));
  });
}

}  // namespace musashim::translator
