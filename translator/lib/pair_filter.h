#pragma once

// Tells most words that are not in a set, by their first two characters, for many places of a text at once.

#include <array>
#include <cstdint>

namespace musashim::translator {

/// A byte may begin a word of the set if, for one of eight groups, the halves of it and of the next byte are
/// among those of the group. That is what one instruction can look up in sixteen or thirty-two bytes.
class PairFilter {
 public:
  using Halves = std::array<std::uint8_t, 16>;  // a bit for each group

  void allow(char first, char second) {
    const auto a = static_cast<unsigned char>(first), b = static_cast<unsigned char>(second);
    if (groups_[a] == 0) groups_[a] = static_cast<std::uint8_t>(1U << (firsts_++ % 8));
    firstLow_[a % 16] |= groups_[a];
    firstHigh_[a / 16] |= groups_[a];
    secondLow_[b % 16] |= groups_[a];
    secondHigh_[b / 16] |= groups_[a];
  }

  bool mayBegin(char first, char second) const {
    const auto a = static_cast<unsigned char>(first), b = static_cast<unsigned char>(second);
    return (firstLow_[a % 16] & firstHigh_[a / 16] & secondLow_[b % 16] & secondHigh_[b / 16]) != 0;
  }
  const Halves& firstLow() const { return firstLow_; }
  const Halves& firstHigh() const { return firstHigh_; }
  const Halves& secondLow() const { return secondLow_; }
  const Halves& secondHigh() const { return secondHigh_; }

 private:
  Halves firstLow_{}, firstHigh_{}, secondLow_{}, secondHigh_{};
  std::array<std::uint8_t, 256> groups_{};  // of a first byte
  unsigned firsts_ = 0;
};

}  // namespace musashim::translator
