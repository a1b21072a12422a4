#pragma once

// What the scanner and the filters must know of the next bytes of a source, as one bit for each.

#include <cstddef>
#include <cstdint>

#include "translator/lib/pair_filter.h"

namespace musashim::translator {

/// Bytes that one call reads: the last only as the neighbour of the one before it.
inline constexpr std::size_t kBytesRead = 65;

struct TokenMasks {
  std::uint64_t word;  // belongs to a word or a number
  std::uint64_t mark;  // neither that nor a blank or new-line
  std::uint64_t newline;
  std::uint64_t special;  // opens or is of several characters: literal, comment, directive, splice, ::, ->
  std::uint64_t glued;    // belongs to the word or number before it: quote, splice, point, sign
  std::uint64_t stop;     // is a brace, or may be the first of a pair (wherever in a word it stands)
};

/// A way through a text, 64 bytes at a time.
struct WordSearch {
  const char* text;
  std::size_t size;
  const PairFilter& pairs;
  std::size_t at = 0;                                           // behind what was searched
  std::uint64_t word = 0, dollar = 0, escape = 0, escaped = 0;  // the last bit of what was searched
};

/// The ways to find them that this processor has; all give the same, but that one which cannot look up
/// pairs takes any for one of them.
struct MaskFunctions {
  /// Of the 64 bytes from `text` on, of which the first does not go on with a word.
  TokenMasks (*tokens)(const char* text, const PairFilter& pairs);
  /// The places in the last 64 bytes searched, up to search.at, where a word of the pairs may begin, also
  /// behind a dollar and behind an escape; or one that is broken behind its first byte. 0: the text ends.
  std::uint64_t (*nextPlaces)(WordSearch& search);
};
extern const MaskFunctions kMasks;          // the fastest
extern const MaskFunctions kPortableMasks;  // of any processor
#ifdef __x86_64__
extern const MaskFunctions kAvx2Masks;
#endif

}  // namespace musashim::translator
