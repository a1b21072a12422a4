// The lexer. Most tokens are lexed many at a time, by their own bytes; token_lexer_impl.h does the others.

#include "translator/lib/lex/scan.h"

#include "translator/lib/lex/token_lexer_impl.h"

namespace musashim::translator {
namespace {

class Scanner : private TokenLexer {
 public:
  Scanner(std::string_view text, TokenStream& out, const WordFinder& stops, const MaskFunctions& masks)
      : TokenLexer(text, out, stops), masks_(masks) {
    lexer_.begin = begin_;
    lexer_.end = end_;
    lexer_.pairs = &stops.pairs;
  }

  void run() {
    skipByteOrderMark();
    for (;;) {
      lexPlain();
      if (at_ == end_) break;
      step();
    }
    if (inDirective_) endDirective();
    keepStops();
  }

 private:
  /// Lexes what its own bytes tell, up to the end or to what step() must look at: literals but for plain
  /// strings, comments but for those of one line, splices, directives, numbers with a sign or a quote.
  void lexPlain() {
    lexer_.at = at_;
    lexer_.lineStart = lineStart_;
    lexer_.inDirective = inDirective_;
    for (bool done = false; !done;) {
      takeRoom();
      const Token* const tokens = lexer_.tokens;
      const Token* const comments = lexer_.comments;
      const std::uint32_t* const stops = lexer_.stops;
      done = masks_.lexPlain(lexer_);
      out_.tokens.grow(static_cast<std::size_t>(lexer_.tokens - tokens));
      out_.comments.grow(static_cast<std::size_t>(lexer_.comments - comments));
      out_.stops.grow(static_cast<std::size_t>(lexer_.stops - stops));
    }
    at_ = lexer_.at;
    lineStart_ = lexer_.lineStart;
    inDirective_ = lexer_.inDirective;
    constexpr std::size_t kMany = 64;  // yet so few that what they stand for is near
    if (out_.stops.size() - keptStops_ >= kMany) keepStops();
  }

  /// For two blocks: a token that goes on behind the first is dropped when there is none for the second.
  void takeRoom() {
    constexpr std::size_t kBlocks = 2 * std::size_t{kLexRoom};
    lexer_.tokens = out_.tokens.roomFor(kBlocks);
    lexer_.tokensEnd = lexer_.tokens + out_.tokens.room();
    lexer_.firstToken = static_cast<std::uint32_t>(out_.tokens.size());
    lexer_.comments = out_.comments.roomFor(kBlocks);
    lexer_.commentsEnd = lexer_.comments + out_.comments.room();
    lexer_.stops = out_.stops.roomFor(kBlocks);
    lexer_.stopsEnd = lexer_.stops + out_.stops.room();
  }

  /// lexPlain() takes more words for stops than are. To tell all of them here needs no branch that could be
  /// guessed wrong.
  void keepStops() {
    out_.stops.keepIf(keptStops_, [&](std::uint32_t stop) {
      const Token& token = out_.tokens[stop];
      const unsigned word = token.kind == TokenKind::Identifier, mark = token.kind == TokenKind::Punctuator;
      const unsigned other = (word | mark) == 0 ? token.kind != TokenKind::Number : 0;
      return other | (mark & unsigned{isBrace(token.mark)}) |
             (word & (unsigned{token.spliced} | unsigned{isStop(token)}));
    });
    keptStops_ = out_.stops.size();
  }

  bool isStop(const Token& word) const {
    const char* const begin = begin_ + word.begin;
    if (end_ - begin < 4) return stops_.words.mayHold({begin, word.end - word.begin});
    return stops_.words.mayHoldAt(begin, word.end - word.begin);
  }

  const MaskFunctions& masks_;
  PlainLexer lexer_;
  std::size_t keptStops_ = 0;  // those before were looked at
};

}  // namespace

void scan(std::string_view text, TokenStream& out, const WordFinder& stops, const MaskFunctions& masks) {
  out.clear();
  Scanner(text, out, stops, masks).run();
}

void scanOneByOne(std::string_view text, TokenStream& out) {
  out.clear();
  TokenLexer(text, out, kNoWords).runOneByOne();
  out.stops.clear();
  for (std::uint32_t i = 0; i < out.tokens.size(); ++i) out.stops.push_back(i);
}

}  // namespace musashim::translator
