// The width of a Gaussian for each row of distances, found by bisection until its entropy is that of 30
// neighbours: reductions over a row in a loop that ends early, at another step in each row.
#pragma once

#include "harness/serve.h"

struct Perplexity {
  using Output = float;
  static constexpr int kThreads = 128, kColumns = 512, kMostSteps = 50;
  static constexpr float kWanted = 3.40119738f, kTolerance = 1e-4f;  // log(30)

  explicit Perplexity(bench::Size size) : rows(bench::pick(size, 5, 128, 4096)) {}

  static float distance(size_t at) {
    return bench::uniform(1, at) * (0.5f + 4 * bench::uniform(2, at / kColumns));
  }
  size_t outputCount() const { return size_t(rows); }
  // Of the entropy that each answer has.
  double error(const float* got) const {
    double worst = 0;
    for (size_t row = 0; row < size_t(rows); ++row) {
      if (!bench::isFinite(got[row])) return 1e300;
      double sum = 0, weighted = 0;
      for (size_t i = 0; i < size_t(kColumns); ++i) {
        const double d = distance(row * kColumns + i), weight = std::exp(-double(got[row]) * d);
        sum += weight;
        weighted += d * weight;
      }
      const double entropy = std::log(sum) + double(got[row]) * weighted / sum;
      worst = std::max(worst, std::abs(entropy - kWanted) / (2 * kTolerance));
    }
    return worst;
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Perplexity& p) : distances(size_t(p.rows) * kColumns), out(p.rows) {
      distances.fill(Perplexity::distance);
    }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> distances, out;
  };

  int rows;
};
