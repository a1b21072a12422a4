#pragma once

// Tells most words that are not in a set, by their first characters: two when the word's end is not known
// yet, four when it is.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "translator/lib/lex/pair_filter.h"

namespace musashim::translator {

class WordFilter {
 public:
  constexpr WordFilter() = default;
  /// Of words whose beginnings are listed: four characters each, shorter ones filled up with zeros.
  constexpr explicit WordFilter(std::string_view beginnings) {
    for (std::size_t i = 0; i + kKnown <= beginnings.size(); i += kKnown) {
      const std::string_view word = beginnings.substr(i, kKnown);
      allow(word.substr(0, word.find('\0')));
    }
  }

  /// Words of at least two characters.
  constexpr void allow(std::string_view word) {
    allowPair(word[0], word[1]);
    allowPair(word[0], '\\');  // a name may be broken after its first character
    if (word.size() >= kKnown) set(quads_.data(), quadOf(word));
  }
  /// Whatever begins with `prefix`.
  constexpr void allowPrefix(std::string_view prefix) {
    allow(prefix);
    if (prefix.size() < kKnown) quads_.fill(0xFF);
  }
  constexpr void allowPair(char first, char second) { set(pairs_.data(), pairOf(first, second)); }
  constexpr void allow(const WordFilter& other) {
    for (std::size_t i = 0; i < pairs_.size(); ++i) pairs_[i] |= other.pairs_[i];
    for (std::size_t i = 0; i < quads_.size(); ++i) quads_[i] |= other.quads_[i];
  }

  bool mayBegin(char first, char second) const { return holds(pairs_.data(), pairOf(first, second)); }
  bool mayHold(std::string_view word) const {
    return word.size() >= 2 && mayBegin(word[0], word[1]) &&
           (word.size() < kKnown || holds(quads_.data(), quadOf(word)));
  }
  /// The same without a branch, where four bytes can be read, whatever the word's size.
  bool mayHoldAt(const char* word, std::size_t size) const {
    const bool quad = holds(quads_.data(), quadOf({word, kKnown}));
    const unsigned known = unsigned{quad} | unsigned{size < kKnown};
    return (unsigned{size >= 2} & unsigned{mayBegin(word[0], word[1])} & known) != 0;
  }
  /// The pairs that words may begin with, for looking at many places at once. Not those of broken names.
  PairFilter pairs() const {
    std::vector<PairFilter::Pairs> all;
    for (unsigned first = 0; first < PairFilter::kBytes; ++first) {
      const auto* const seconds = &pairs_[first * 256 / 8];
      if (std::all_of(seconds, seconds + PairFilter::kBytes / 8, [](std::uint8_t byte) { return byte == 0; }))
        continue;
      PairFilter::Pairs pairs{first, {}};
      for (unsigned second = 0; second < PairFilter::kBytes; ++second) {
        if (second != '\\' && holds(pairs_.data(), first * 256 + second)) pairs.seconds.set(second);
      }
      if (pairs.seconds.any()) all.push_back(pairs);
    }
    return PairFilter(all);
  }

 private:
  static constexpr std::size_t kKnown = 4;
  static constexpr unsigned byteOf(char c) { return static_cast<unsigned char>(c); }
  static constexpr unsigned pairOf(char first, char second) { return byteOf(first) * 256U + byteOf(second); }
  static constexpr unsigned quadOf(std::string_view word) {
    const std::uint32_t quad =
        byteOf(word[0]) | byteOf(word[1]) << 8U | byteOf(word[2]) << 16U | byteOf(word[3]) << 24U;
    return (quad * 0x9E3779B1U) >> 17U;
  }
  static constexpr void set(std::uint8_t* bits, unsigned at) {
    bits[at / 8] = static_cast<std::uint8_t>(bits[at / 8] | (1U << (at % 8)));
  }
  static constexpr bool holds(const std::uint8_t* bits, unsigned at) {
    return (bits[at / 8] >> (at % 8)) & 1U;
  }

  // A bit for each pair of first characters, and one for each hash of the first four.
  std::array<std::uint8_t, 65536 / 8> pairs_{};
  std::array<std::uint8_t, 32768 / 8> quads_{};
};

/// A set of words with what finds them among many.
struct WordFinder {
  WordFinder() = default;
  explicit WordFinder(const WordFilter& filter) : words(filter), pairs(filter.pairs()) {}

  WordFilter words;
  PairFilter pairs;
};
inline const WordFinder kNoWords;

}  // namespace musashim::translator
