// XORWOW as 4096 sequences side by side: each place of an output row belongs to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace musashim::rand {

class XorwowLanes {
 public:
  static constexpr std::size_t kLanes = 4096;
  static constexpr bool kNumbersToM1 = false;

  // Sequences lie 2^67 steps apart, or have seeds of their own (`seeded`), which takes no jumps.
  XorwowLanes(std::uint64_t seed, bool seeded);

  std::size_t size() const { return kLanes; }
  // The next word of `count` lanes from `first` on.
  void next(std::uint32_t* words, std::size_t first, std::size_t count);
  // As many words further.
  void skip(std::uint64_t words, std::size_t first, std::size_t count);

 private:
  std::vector<std::uint32_t> d_, v_[5];
};

}  // namespace musashim::rand
