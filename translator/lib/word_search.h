#pragma once

// Finds the words of a set in a text of any kind, several gigabytes a second where the set is rare.

#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "translator/lib/byte_masks.h"
#include "translator/lib/word_filter.h"

namespace musashim::translator {

/// Does `check` hold for a place where a word that begins like one of `words` may begin? Asked in order,
/// until it does. Also behind a dollar and, for strings, behind an escape, whatever stands before: `check`
/// tells.
template <typename Check>
bool anyWord(std::string_view text, const WordFinder& words, Check check) {
  constexpr std::size_t kBlock = 64;
  struct {
    std::uint64_t word, dollar, escape, escaped;  // the last bits of the block before
  } before{};
  for (std::size_t at = 0; at < text.size(); at += kBlock) {
    const char* block = text.data() + at;
    std::array<char, kBytesRead> last;
    if (text.size() - at < kBytesRead) {
      last.fill('\0');
      std::memcpy(last.data(), block, text.size() - at);
      block = last.data();
    }
    const WordMasks is = kMasks.words(block, words.pairs);
    const std::uint64_t first = is.word & ~((is.word << 1) | before.word);
    const std::uint64_t behindDollar = (is.dollar << 1) | before.dollar;
    const std::uint64_t escaped = (is.backslash << 1) | before.escape;
    const std::uint64_t behindEscape = (escaped << 1) | before.escaped;
    before = {is.word >> 63, is.dollar >> 63, is.backslash >> 63, escaped >> 63};
    constexpr std::uint64_t kNextUnknown = std::uint64_t{1} << 63;
    const std::uint64_t broken = (is.backslash >> 1) | kNextUnknown;
    std::uint64_t places = (is.pair | broken) & is.word & (first | behindDollar | behindEscape);
    for (; places != 0; places &= places - 1) {
      const std::size_t begin = at + static_cast<std::size_t>(std::countr_zero(places));
      if (begin + 1 == text.size()) return false;
      if (words.words.mayBegin(text[begin], text[begin + 1]) && check(begin)) return true;
    }
  }
  return false;
}

}  // namespace musashim::translator
