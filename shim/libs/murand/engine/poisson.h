// Poisson numbers of the host API: by Marsaglia, Tsang and Wang's square histogram ("Fast Generation of
// Discrete Random Variables", Journal of Statistical Software 11(3), 2004, method II), from 2000 on by
// rounding normal numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "items.h"

namespace musashim::rand {

constexpr double kNormalFrom = 2000, kLargestLambda = 400000;

struct Histogram {
  Histogram() = default;
  explicit Histogram(double lambda);

  std::uint32_t shift = 0;  // the number that the first bar stands for
  std::vector<double> border;
  std::vector<std::uint32_t> other;
};

// The distribution's sums, to be inverted.
struct Cumulated {
  explicit Cumulated(double lambda);
  std::uint32_t of(double unit) const;

  std::uint32_t shift = 0;
  std::vector<double> sums;
};

struct HistogramItem {
  using Output = std::uint32_t;
  static constexpr int kWords = 1, kM1Words = 1, kOutputs = 1;
  const Histogram* histogram;

  std::uint32_t of(std::uint32_t word) const { return ofUnit(double(word) * 0x1p-32 + 0x1p-32); }
  std::uint32_t ofUnit(double unit) const {
    const auto bar = std::size_t(double(histogram->border.size()) * unit);
    if (bar >= histogram->border.size()) return histogram->shift + histogram->other.back();
    return histogram->shift + (unit < histogram->border[bar] ? std::uint32_t(bar) : histogram->other[bar]);
  }
  template <bool toM1>
  void make(const std::uint32_t* w, Output* out) const {
    *out = of(toM1 ? std::uint32_t(double(w[0]) * kM1ToWords) : w[0]);
  }
};

// Of one normal number.
struct GaussItem {
  using Output = std::uint32_t;
  static constexpr int kOutputs = 1;
  double lambda;
  bool onDevice = false;

  std::uint32_t of(float normal) const {
    const double number = std::sqrt(lambda) * double(normal) + lambda + 0.5;
    return number > 0 ? std::uint32_t(number) : 0;  // 0 for a lambda that is no number
  }
};

}  // namespace musashim::rand
