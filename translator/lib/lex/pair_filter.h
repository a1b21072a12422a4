#pragma once

// Tells most words that are not in a set, by their first two characters, for many places of a text at once.

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

namespace musashim::translator {

/// A byte may begin a word of the set if one of eight groups has it and the next one. What is in no group's
/// tables is in none of the pairs; what is, may be in none. All of ASCII.
class PairFilter {
 public:
  static constexpr unsigned kGroups = 8;
  static constexpr unsigned kBytes = 128;
  using Halves = std::array<std::uint8_t, 16>;  // a bit for each group

  /// The bytes that follow `first` in the set's words.
  struct Pairs {
    unsigned first;
    std::bitset<kBytes> seconds;
  };

  PairFilter() = default;
  explicit PairFilter(const std::vector<Pairs>& pairs);

  bool mayBegin(char first, char second) const {
    const auto a = static_cast<unsigned char>(first), b = static_cast<unsigned char>(second);
    return a < kBytes && b < kBytes && (firsts_[a] & seconds_[b]) != 0;
  }

  /// For each byte the groups that have it as a first, or as a second.
  const std::uint8_t* firsts() const { return firsts_.data(); }
  const std::uint8_t* seconds() const { return seconds_.data(); }
  /// The groups of a byte are those of both its halves, or some of them.
  const Halves& firstLow() const { return firstLow_; }
  const Halves& firstHigh() const { return firstHigh_; }
  const Halves& secondLow() const { return secondLow_; }
  const Halves& secondHigh() const { return secondHigh_; }

 private:
  std::array<std::uint8_t, kBytes> firsts_{}, seconds_{};
  Halves firstLow_{}, firstHigh_{}, secondLow_{}, secondHigh_{};
};

}  // namespace musashim::translator
