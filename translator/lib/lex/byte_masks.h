#pragma once

// What the scanner and the filters learn of 64 bytes of a source at once, by the widest instructions there
// are.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "translator/lib/lex/pair_filter.h"
#include "translator/lib/lex/token.h"
#include "translator/lib/lex/word_filter.h"

namespace musashim::translator {

/// Bytes of a block that are looked at: one behind the 64th, as a neighbour.
inline constexpr std::size_t kBytesRead = 65;

/// A bit for each of 64 bytes.
struct BlockMasks {
  std::uint64_t word;  // belongs to a word or a number
  std::uint64_t digit;
  std::uint64_t mark;  // neither of a word nor blank, nor behind the text
  std::uint64_t newline;
  std::uint64_t point;
  std::uint64_t joins;       // the first of :: or ->
  std::uint64_t special;     // opens or is of several other characters: literal, comment, directive, splice
  std::uint64_t wordGlue;    // belongs to the word before it, if there is one: quote, splice
  std::uint64_t numberGlue;  // belongs to the number before it: quote, point, sign
  std::uint64_t stop;        // is a brace, or may be the first of a pair (wherever in a word it stands)
};

/// Lexes all that its own bytes tell: words, numbers, marks, :: and ->, plain strings, line comments, and the
/// ends of directives.
struct PlainLexer {
  const char* begin;  // of the source
  const char* end;
  const char* at;         // what comes next; no word goes on there
  const char* lineStart;  // of the line that `at` is on, once lexPlain() has gone there
  bool inDirective;       // where a new-line is a token

  const PairFilter* pairs;  // of the words that are stops

  /// Where the tokens, the comments and the numbers of the stops go. With room for twice kLexRoom more of
  /// each something is done. Of words, those are stops that the pairs do not rule out.
  Token *tokens, *tokensEnd;
  Token *comments, *commentsEnd;
  std::uint32_t *stops, *stopsEnd;
  std::uint32_t firstToken;  // number of the first

  char last[kBytesRead];  // room for what is read at the text's end
};
inline constexpr std::ptrdiff_t kLexRoom = 64;

/// A way through a text, 64 bytes at a time.
struct WordSearch {
  const char* text;
  std::size_t size;
  std::size_t readable;  // the same, or more: bytes there are
  const PairFilter& pairs;
  std::size_t at = 0;                                           // behind what was searched
  std::uint64_t word = 0, dollar = 0, escape = 0, escaped = 0;  // the last bit of what was searched
};

/// For one kind of processor; all give the same, but that one which cannot look up pairs finds more places.
struct MaskFunctions {
  /// Goes on to the end or to what is special, which is true, or until room is short, which is false. Leaves
  /// `tokens`, `comments` and `stops` behind what was written.
  bool (*lexPlain)(PlainLexer& lexer);
  /// The places in the last 64 bytes searched, up to search.at, where a word of the pairs may begin, also
  /// behind a dollar and behind an escape; or one that is broken behind its first byte. 0: the text ends.
  std::uint64_t (*nextPlaces)(WordSearch& search);
  /// The first place from `at` on, before `end`, that holds one byte and then the other; null: there is none.
  const char* (*findBytes)(const char* at, const char* end, char first, char second);
};
extern const MaskFunctions kPortableMasks;  // of any processor
#ifdef __x86_64__
extern const MaskFunctions kAvx2Masks;
extern const MaskFunctions kAvx512Masks;  // with VBMI and VBMI2
#endif

/// Those that this processor has, the fastest first.
std::span<const MaskFunctions* const> allMasks();
/// The fastest.
extern const MaskFunctions& kMasks;

/// Where two bytes stand next to each other, from `from` on; npos: nowhere. Sooner than string_view::find()
/// where the first one is no rare one.
inline std::size_t findBytes(std::string_view text, char first, char second, std::size_t from = 0) {
  const char* const end = text.data() + text.size();
  const char* const found =
      from < text.size() ? kMasks.findBytes(text.data() + from, end, first, second) : nullptr;
  return found ? static_cast<std::size_t>(found - text.data()) : std::string_view::npos;
}

}  // namespace musashim::translator
