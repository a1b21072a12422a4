#pragma once

// What the scanner must know of the next bytes of a source, as one bit for each.

#include <cstddef>
#include <cstdint>

namespace musashim::translator {

/// Bytes that one call looks at. One bit more is right: of the byte behind them.
inline constexpr std::size_t kMaskedBytes = 63;

struct ByteMasks {
  std::uint64_t word;  // belongs to a word or a number
  std::uint64_t mark;  // neither that nor a blank or new-line
  std::uint64_t newline;
  std::uint64_t special;  // opens or is something of several characters: literal, comment, #, splice, ::, ->
  std::uint64_t glued;    // belongs to the word or number before it: quote, splice, point, sign
};

/// Of the bytes from `text` on, which begins with a token; kMaskedBytes + 2 bytes are read.
ByteMasks byteMasks(const char* text);

}  // namespace musashim::translator
