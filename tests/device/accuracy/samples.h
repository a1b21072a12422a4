// Arguments to try: special values, random numbers over a range, random bits over a range.
#pragma once

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

namespace musashim::device_test {

// More for a thorough run: MUSASHIM_ACCURACY_SAMPLES.
inline int sampleCount() {
  const char* text = std::getenv("MUSASHIM_ACCURACY_SAMPLES");
  return text != nullptr ? std::max(1, std::atoi(text)) : 600;
}

struct Range {
  double low, high;
};

template <typename T>
class Sampler {
 public:
  explicit Sampler(unsigned seed) : engine_(seed) {}

  // Half of them evenly spread, half with evenly spread exponents; both signs where the range has them.
  T next(const Range& range) {
    const double unit = std::uniform_real_distribution<double>(0, 1)(engine_);
    if (engine_() % 2) return clamp(T(range.low + (range.high - range.low) * unit), range);
    const bool negative = range.low < 0 && (range.high <= 0 || engine_() % 2);
    const double near = range.low > 0 ? range.low : range.high < 0 ? -range.high : least();
    const double far = negative ? -range.low : range.high;
    const double magnitude = std::exp2(std::log2(near) + (std::log2(far) - std::log2(near)) * unit);
    return clamp(T(negative ? -magnitude : magnitude), range);
  }

  static std::vector<T> specials() {
    using L = std::numeric_limits<T>;
    std::vector<T> result;
    for (T x : {T(0),
                L::denorm_min(),
                L::min(),
                std::nextafter(L::min(), T(0)),
                T(1e-20),
                L::epsilon(),
                T(0.25),
                T(0.5),
                std::nextafter(T(1), T(0)),
                T(1),
                std::nextafter(T(1), T(2)),
                T(1.5),
                T(2),
                T(2.5),
                T(3),
                T(4),
                T(10),
                T(30),
                T(88.5),
                T(100),
                T(1023.5),
                T(1e10),
                T(1e20),
                L::max(),
                L::infinity()}) {
      result.push_back(x);
      result.push_back(-x);
    }
    result.push_back(L::quiet_NaN());
    return result;
  }

 private:
  static double least() { return sizeof(T) == 4 ? 1e-45 : 4.94065645841246544e-324; }
  static T clamp(T x, const Range& range) {
    return x < T(range.low)    ? std::nextafter(T(range.low), std::numeric_limits<T>::infinity())
           : x > T(range.high) ? std::nextafter(T(range.high), -std::numeric_limits<T>::infinity())
                               : x;
  }
  std::mt19937_64 engine_;
};

}  // namespace musashim::device_test
