// A slow, plain model of a binary floating-point format: every value in a table, and
// rounding by comparison in double. Nothing of it is shared with the headers.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace musashim::device_test {

enum class Mode { kNearest, kDown, kUp, kZero };

class Format {
 public:
  Format(int exponentBits, int mantissaBits) : exponentBits_(exponentBits), mantissaBits_(mantissaBits) {
    const unsigned infinity = ((1u << exponentBits) - 1u) << mantissaBits;
    for (unsigned bits = 0; bits <= infinity; ++bits) magnitudes_.push_back(magnitudeOf(bits));
  }

  unsigned signBit() const { return 1u << (exponentBits_ + mantissaBits_); }
  unsigned infinity() const { return unsigned(magnitudes_.size()) - 1u; }

  // The value of any bits; NaN above infinity.
  double decode(unsigned bits) const {
    const unsigned magnitude = bits & (signBit() - 1u);
    if (magnitude > infinity()) return std::nan("");
    const double value = magnitude == infinity() ? HUGE_VAL : magnitudes_[magnitude];
    return bits & signBit() ? -value : value;
  }

  // The bits of x rounded; `sticky` is the sign of what the exact value has beyond x.
  unsigned encode(double x, Mode mode, int sticky = 0) const {
    if (std::isnan(x)) return signBit() - 1u;
    const bool negative = std::signbit(x);
    const unsigned sign = negative ? signBit() : 0u;
    const double magnitude = std::fabs(x);
    const int beyond = negative ? -sticky : sticky;
    if (std::isinf(x)) return sign | infinity();

    // low <= magnitude and what is beyond < high, where the number after the largest
    // finite one has the place of infinity.
    unsigned low = 0, high = infinity();
    while (high - low > 1) {
      const unsigned middle = (low + high) / 2;
      const bool isBelow =
          magnitudes_[middle] < magnitude || (magnitudes_[middle] == magnitude && beyond >= 0);
      (isBelow ? low : high) = middle;
    }
    if (magnitudes_[low] == magnitude && beyond == 0) return sign | low;
    return sign | pick(low, high, magnitude, beyond, negative, mode);
  }

 private:
  double magnitudeOf(unsigned bits) const {
    const int bias = (1 << (exponentBits_ - 1)) - 1;
    const int exponent = int(bits >> mantissaBits_);
    const double mantissa = double(bits & ((1u << mantissaBits_) - 1u));
    const double implicit = exponent == 0 ? 0.0 : double(1u << mantissaBits_);
    return std::ldexp(implicit + mantissa, (exponent == 0 ? 1 : exponent) - bias - mantissaBits_);
  }
  unsigned pick(unsigned low, unsigned high, double magnitude, int beyond, bool negative, Mode mode) const {
    switch (mode) {
      case Mode::kZero:
        return low;
      case Mode::kUp:
        return negative ? low : high;
      case Mode::kDown:
        return negative ? high : low;
      case Mode::kNearest:
        break;
    }
    const double middle = magnitudes_[low] + (magnitudes_[high] - magnitudes_[low]) / 2;
    if (magnitude != middle) return magnitude < middle ? low : high;
    if (beyond != 0) return beyond < 0 ? low : high;
    return low % 2 == 0 ? low : high;
  }

  int exponentBits_, mantissaBits_;
  std::vector<double> magnitudes_;  // by bits, up to infinity's place
};

// The doubles that decide a format's rounding: every number, every midpoint between two
// neighbours, and the doubles next to both, with both signs.
inline std::vector<double> decisiveDoubles(const Format& format) {
  std::vector<double> result;
  const auto add = [&](double x) {
    for (double v : {x, std::nextafter(x, HUGE_VAL), std::nextafter(x, -HUGE_VAL)}) {
      result.push_back(v);
      result.push_back(-v);
    }
  };
  for (unsigned bits = 0; bits + 1 < format.infinity(); ++bits) {
    const double low = format.decode(bits), high = format.decode(bits + 1);
    add(low);
    add(low + (high - low) / 2);
  }
  const double largest = format.decode(format.infinity() - 1),
               step = largest - format.decode(format.infinity() - 2);
  add(largest);
  add(largest + step / 2);
  add(largest + step);
  for (double x : {1e-320, 5e-324, 1e-300, 1e300, 1.7976931348623157e308}) add(x);
  result.insert(result.end(), {HUGE_VAL, -HUGE_VAL, std::nan(""), -std::nan("")});
  return result;
}

}  // namespace musashim::device_test
