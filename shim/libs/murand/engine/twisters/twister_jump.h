// Jumps of MT19937 (Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer, "Efficient jump ahead for F2-linear
// random number generators", 2008): the state J steps on is a sum of the states that x^J modulo the
// characteristic polynomial names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace musashim::rand {

inline constexpr std::size_t kTwisterWords = 624, kTwisterShift = 397, kTwisterBits = 19937;

using TwisterState = std::array<std::uint32_t, kTwisterWords>;

// The 624 words that follow; of the first word before, one bit counts.
void twist(TwisterState& state);

// So many steps of one word, and what they need each time.
class TwisterJump {
 public:
  // 2^`exponent` steps, `times` times.
  TwisterJump(unsigned exponent, unsigned times);

  void apply(TwisterState& state) const;

 private:
  std::vector<std::uint16_t> places_;    // the states that are summed, as steps from the first
  std::vector<std::uint64_t> reversed_;  // the same as bits, the last first
};

}  // namespace musashim::rand
