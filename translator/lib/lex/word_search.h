#pragma once

// Finds the words of a set in a text of any kind, several gigabytes a second where the set is rare.

#include <bit>
#include <string_view>

#include "translator/lib/lex/byte_masks.h"
#include "translator/lib/lex/word_filter.h"

namespace musashim::translator {

/// Does `check` hold for a place in the first `size` bytes where a word that begins like one of `words` may
/// begin? Asked in order, until it does. Also behind a dollar and, for strings, behind an escape, whatever
/// stands before: `check` tells.
template <typename Check>
bool anyWord(std::string_view text, std::size_t size, const WordFinder& words, Check check,
             const MaskFunctions& masks = kMasks) {
  WordSearch search{text.data(), size, text.size(), words.pairs};
  while (search.at < size) {
    for (std::uint64_t places = masks.nextPlaces(search); places != 0; places &= places - 1) {
      const std::size_t begin = search.at - 64 + static_cast<std::size_t>(std::countr_zero(places));
      if (begin + 1 == size) return false;
      if (words.words.mayBegin(text[begin], text[begin + 1]) && check(begin)) return true;
    }
  }
  return false;
}

}  // namespace musashim::translator
