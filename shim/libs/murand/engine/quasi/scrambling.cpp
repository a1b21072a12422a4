#include "scrambling.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "directions.h"
#include "libs/core/share.h"
#include "libs/murand/engine/rows.h"
#include "libs/murand/engine/xorwow_lanes.h"

namespace musashim::rand {
namespace {

constexpr std::size_t kBits = 64;

// XORWOW's words in pairs, the lower half first. The first word of all is left out.
std::vector<std::uint64_t> randomBits(std::size_t count) {
  std::vector<std::uint32_t> words(1 + 2 * count);
  Rows<XorwowLanes>(XorwowLanes(0, false), 0).fill(words.data(), words.size(), WordItem{});
  std::vector<std::uint64_t> bits(count);
  for (std::size_t i = 0; i < count; ++i) bits[i] = words[1 + 2 * i] | std::uint64_t{words[2 + 2 * i]} << 32;
  return bits;
}

// A row of a matrix: random in front of the diagonal, which is 1; the first column is the highest bit.
std::uint64_t rowOf(std::uint64_t bits, std::size_t row) {
  const std::uint64_t diagonal = std::uint64_t{1} << (kBits - 1 - row);
  return (bits & ~(2 * diagonal - 1)) | diagonal;
}

struct Tables {
  std::vector<std::uint64_t> directions, constants;
  std::vector<std::uint32_t> upperDirections, upperConstants;

  Tables() : directions(kDimensions * kBits), upperDirections(kDimensions * 32) {
    // All matrices, then the constants.
    const std::vector<std::uint64_t> bits = randomBits(kDimensions * (kBits + 1));
    constants.assign(bits.begin() + kDimensions * kBits, bits.end());
    constexpr std::size_t chunk = 100;
    libs::shareOut(kDimensions / chunk, [&](std::size_t part) {
      for (std::size_t dimension = part * chunk; dimension < (part + 1) * chunk; ++dimension)
        scramble(&bits[dimension * kBits], dimension);
    });
    const auto upper = [](std::uint64_t x) { return std::uint32_t(x >> 32); };
    for (std::size_t i = 0; i < upperDirections.size(); ++i)
      upperDirections[i] = upper(directions[i / 32 * kBits + i % 32]);
    upperConstants.resize(kDimensions);
    std::transform(constants.begin(), constants.end(), upperConstants.begin(), upper);
  }

  void scramble(const std::uint64_t* bits, std::size_t dimension) {
    for (std::size_t row = 0; row < kBits; ++row) {
      const std::uint64_t factors = rowOf(bits[row], row);
      for (std::size_t digit = 0; digit < kBits; ++digit) {
        const auto odd = std::uint64_t(std::popcount(factors & directions64()[dimension][digit]) & 1);
        directions[dimension * kBits + digit] |= odd << (kBits - 1 - row);
      }
    }
  }
};

const Tables& tables() {
  static const Tables& made = *new Tables;
  return made;
}

}  // namespace

const std::uint64_t (*scrambledDirections64())[64] {
  return reinterpret_cast<const std::uint64_t(*)[64]>(tables().directions.data());
}
const std::uint32_t (*scrambledDirections32())[32] {
  return reinterpret_cast<const std::uint32_t(*)[32]>(tables().upperDirections.data());
}
const std::uint64_t* scrambleConstants64() { return tables().constants.data(); }
const std::uint32_t* scrambleConstants32() { return tables().upperConstants.data(); }

}  // namespace musashim::rand
