// MRG32k3a as sequences side by side, 2^76 steps apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace musashim::rand {

class MrgLanes {
 public:
  // Its numbers go from 1 to m1, not over all words.
  static constexpr bool kNumbersToM1 = true;

  MrgLanes(std::uint64_t seed, std::size_t lanes);

  std::size_t size() const { return s_[0].size(); }
  // The next number of `count` lanes from `first` on.
  void next(std::uint32_t* numbers, std::size_t first, std::size_t count);
  void skip(std::uint64_t numbers, std::size_t first, std::size_t count);

 private:
  // The three last numbers of both recurrences.
  std::vector<std::uint32_t> s_[6];
};

}  // namespace musashim::rand
