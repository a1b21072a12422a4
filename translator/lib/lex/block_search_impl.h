// nextPlaces() and findBytes() of byte_masks.h, on top of what the including file has of blocks:
// block_vectors_impl.h or block_avx512_impl.h.

#include <cstring>

#include "translator/lib/lex/block.h"

namespace musashim::translator {
namespace {

/// Of the 64 bytes from `block` on.
std::uint64_t placesIn(const char* block, WordSearch& search) {
  PlaceMasks masks;
  findPlaces(block, search.pairs, masks);
  const auto [word, dollar, backslash, pair] = masks;
  const std::uint64_t escaped = (backslash << 1) | search.escape;
  const std::uint64_t begins =
      ~((word << 1) | search.word) | (dollar << 1) | search.dollar | (escaped << 1) | search.escaped;
  search.word = word >> 63;
  search.dollar = dollar >> 63;
  search.escape = backslash >> 63;
  search.escaped = escaped >> 63;
  return pair & word & begins;
}

std::uint64_t nextPlaces(WordSearch& search) {
  for (std::uint64_t places = 0; search.at < search.size;) {
    const std::size_t left = search.size - search.at;
    if (search.readable - search.at >= kBytesRead) {
      places = placesIn(search.text + search.at, search);
    } else {
      char last[kBytesRead] = {};
      std::memcpy(last, search.text + search.at, left);
      places = placesIn(last, search);
    }
    if (left < 64) places &= ~bitsFrom(static_cast<unsigned>(left));
    search.at += 64;
    if (places != 0) return places;
  }
  return 0;
}

const char* findBytes(const char* at, const char* end, char first, char second) {
  // A block and the byte behind it.
  for (; end - at > 64; at += 64) {
    if (const std::uint64_t places = pairsOf(at, first, second); places != 0) return at + lowestBit(places);
  }
  for (; end - at > 1; ++at) {
    if (at[0] == first && at[1] == second) return at;
  }
  return nullptr;
}

}  // namespace
}  // namespace musashim::translator
