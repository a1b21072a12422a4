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

struct WordMasks {
  std::uint64_t word;
  std::uint64_t dollar;
  std::uint64_t backslash;
  std::uint64_t pair;  // may be the first of a pair (wherever in a word it stands)
};

/// The ways to find them that this processor has; all give the same, but for `pair`, which one that cannot
/// look up pairs sets everywhere.
struct MaskFunctions {
  /// Of the 64 bytes from `text` on, of which the first does not go on with a word.
  TokenMasks (*tokens)(const char* text, const PairFilter& pairs);
  /// Of the 64 bytes from `text` on.
  WordMasks (*words)(const char* text, const PairFilter& pairs);
};
extern const MaskFunctions kMasks;          // the fastest
extern const MaskFunctions kPortableMasks;  // of any processor
#ifdef __x86_64__
extern const MaskFunctions kAvx2Masks;
#endif

}  // namespace musashim::translator
