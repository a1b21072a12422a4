#pragma once

// What is told of 64 bytes of a source at once.

#include <cstdint>

#include "translator/lib/lex/byte_masks.h"

namespace musashim::translator {

/// Tokens that begin in 64 bytes.
struct BlockTokens {
  const char* data;
  std::uint32_t offset;  // of those bytes in the source
  std::uint64_t starts;  // a bit for the first byte of each token; the new-line for the end of a directive
  std::uint64_t ends;    // and for the byte behind it; the last may end behind the block
  std::uint64_t word;    // as in BlockMasks
  std::uint64_t stop;
  std::uint64_t joins;
};

/// For finding the places of words.
struct PlaceMasks {
  std::uint64_t word;       // as in BlockMasks
  std::uint64_t dollar;     // is one
  std::uint64_t backslash;  // is one
  std::uint64_t pair;       // may be the first of a pair, or stands before a backslash
};

namespace {

/// Index of the lowest bit that is set; there must be one.
unsigned lowestBit(std::uint64_t bits) { return static_cast<unsigned>(__builtin_ctzll(bits)); }
/// And of the highest one.
unsigned highestBit(std::uint64_t bits) { return 63U - static_cast<unsigned>(__builtin_clzll(bits)); }
/// Bits `from` and above.
std::uint64_t bitsFrom(unsigned from) { return from < 64 ? ~std::uint64_t{0} << from : 0; }

}  // namespace
}  // namespace musashim::translator
