// Any bytes: tokens and comments are in order and inside the text, every byte that is no blank lies in one
// of them or in a splice, spellings and literal bodies can be taken, and one token at a time gives the same,
// as do the instructions of all kinds of processors.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "translator/lib/lex/scan.h"
#include "translator/lib/lex/word_search.h"
#include "translator/lib/names/lexicon.h"

using namespace musashim::translator;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool same(const TokenList& left, const TokenList& right) {
  return std::ranges::equal(left, right, [](const Token& a, const Token& b) {
    return a.begin == b.begin && a.end == b.end && a.kind == b.kind && a.mark == b.mark &&
           a.spliced == b.spliced;
  });
}

void checkTokens(std::string_view text, const TokenStream& stream, const MaskFunctions& masks) {
  TokenStream other;
  scan(text, other, Lexicon::standard().stops(), masks);
  require(same(stream.tokens, other.tokens) && same(stream.comments, other.comments));
  require(std::ranges::equal(stream.stops, other.stops));
}

std::vector<std::size_t> wordsIn(std::string_view text, const MaskFunctions& masks) {
  std::vector<std::size_t> found;
  const auto note = [&](std::size_t at) {
    found.push_back(at);
    return false;
  };
  anyWord(text, text.size(), Lexicon::standard().wordFinder(), note, masks);
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  TokenStream stream;
  scan(text, stream);
  TokenStream reference;
  scanOneByOne(text, reference);
  require(same(stream.tokens, reference.tokens) && same(stream.comments, reference.comments));
  scan(text, stream, Lexicon::standard().stops());
  for (const MaskFunctions* masks : allMasks()) {
    checkTokens(text, stream, *masks);
    require(wordsIn(text, *masks) == wordsIn(text, kMasks));
  }
  std::vector<bool> covered(size);
  for (const auto* list : {&stream.tokens, &stream.comments}) {
    std::uint32_t done = 0;
    for (const Token& token : *list) {
      require(token.begin >= done && token.end >= token.begin && token.end <= size);
      done = token.end;
      for (std::uint32_t i = token.begin; i < token.end; ++i) {
        require(!covered[i]);
        covered[i] = true;
      }
      require(spelling(token, text).size() <= token.end - token.begin);
      if (token.kind == TokenKind::String || token.kind == TokenKind::RawString ||
          token.kind == TokenKind::Character) {
        const Token body = literalBody(token, text);
        require(body.begin >= token.begin && body.end <= token.end && body.begin <= body.end);
      }
    }
  }
  bool prose = false;  // the rest of #error and #warning is no token
  for (std::size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; i < size; ++i) {
    const char c = text[i];
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\n' || c == '\\';
    if (c == '#') prose = true;
    require(covered[i] || blank || prose);
  }
  return 0;
}
