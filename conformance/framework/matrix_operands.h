// Operands of matrix instructions: words of a warp's fragments, drawn alike on every machine.
#pragma once

#include <stdint.h>

#include <cmath>
#include <vector>

// A format of numbers: how many bits exponent and fraction have, and where the lowest bit is in its register.
struct NumberFormat {
  int exponentBits, fractionBits, unusedBits;
  int width() const { return 1 + exponentBits + fractionBits + unusedBits; }
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
};

constexpr NumberFormat kHalf{5, 10, 0}, kBfloat{8, 7, 0}, kTensor{8, 10, 13}, kFloat{8, 23, 0},
    kE4m3{4, 3, 0}, kE5m2{5, 2, 0};

// Which numbers: small integers, whose sums are exact; numbers of a few magnitudes; numbers of many; those of
// a few with the format's greatest exponent in between: infinities and NaNs, where it has some.
enum class Numbers { kSmall, kReal, kWide, kSpecial };

class OperandSource {
 public:
  explicit OperandSource(uint64_t seed) : state_(seed * 2 + 1) {}

  uint32_t bits() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>(state_ >> 33) * 0x9e3779b1u >> 3 ^ static_cast<uint32_t>(state_ >> 32);
  }

  uint32_t number(const NumberFormat& format, Numbers numbers) {
    const uint32_t sign = bits() & 1u;
    const uint32_t fraction = bits() & ((1u << format.fractionBits) - 1u);
    int exponent = 0;  // as it is stored
    uint32_t magnitude = 0;
    switch (numbers) {
      case Numbers::kSmall:
        magnitude = integer(format, bits() % 4u);
        break;
      case Numbers::kReal:
        exponent = format.bias() - 3 + static_cast<int>(bits() % 5u);
        magnitude = static_cast<uint32_t>(exponent) << format.fractionBits | fraction;
        break;
      case Numbers::kSpecial: {
        const bool isSpecial = bits() % 24u == 0;
        exponent =
            isSpecial ? (1 << format.exponentBits) - 1 : format.bias() - 3 + static_cast<int>(bits() % 5u);
        const bool isInfinite = isSpecial && bits() % 4u != 0;
        magnitude = static_cast<uint32_t>(exponent) << format.fractionBits | (isInfinite ? 0u : fraction);
        break;
      }
      case Numbers::kWide: {
        // All exponents of the short formats but those of infinities, subnormal numbers included.
        const int span = format.exponentBits > 5 ? 30 : (1 << format.exponentBits) - 1;
        const int least = format.exponentBits > 5 ? format.bias() - 15 : 0;
        exponent = least + static_cast<int>(bits() % static_cast<uint32_t>(span));
        magnitude = static_cast<uint32_t>(exponent) << format.fractionBits | fraction;
        break;
      }
    }
    const uint32_t unused =
        format.unusedBits == 0 || numbers == Numbers::kSmall ? 0u : bits() & ((1u << format.unusedBits) - 1u);
    return (sign << (format.exponentBits + format.fractionBits) | magnitude) << format.unusedBits | unused;
  }

  // As many numbers as fit into a word.
  uint32_t word(const NumberFormat& format, Numbers numbers) {
    uint32_t result = 0;
    for (int at = 0; at < 32; at += format.width()) result |= number(format, numbers) << at;
    return result;
  }

 private:
  // 0 to 3.
  static uint32_t integer(const NumberFormat& format, uint32_t value) {
    if (value == 0) return 0;
    const int power = value >= 2 ? 1 : 0;
    const uint32_t fraction = value == 3 ? 1u << (format.fractionBits - 1) : 0u;
    return static_cast<uint32_t>(format.bias() + power) << format.fractionBits | fraction;
  }

  uint64_t state_;
};
