// European call and put prices of 2^22 options by Black and Scholes; the normal distribution by the
// polynomial 26.2.17 of Abramowitz and Stegun, whose error is below 7.5e-8.
#pragma once

#include "harness/serve.h"

struct BlackScholes {
  using Output = float;
  static constexpr int kThreads = 256;
  static constexpr float kRate = 0.02f, kVolatility = 0.30f;

  explicit BlackScholes(bench::Size size) : n(bench::pick(size, 1000, 1 << 18, 1 << 22)) {}

  int blocks() const { return (n + kThreads - 1) / kThreads; }
  static float price(size_t i) { return 5 + 25 * bench::uniform(1, i); }
  static float strike(size_t i) { return 1 + 99 * bench::uniform(2, i); }
  static float years(size_t i) { return 0.25f + 9.75f * bench::uniform(3, i); }

  // All calls, then all puts.
  size_t outputCount() const { return 2 * size_t(n); }
  double error(const float* got) const {
    auto want = [this](size_t at) {
      const size_t i = at % n;
      const double s = price(i), k = strike(i), t = years(i), spread = kVolatility * std::sqrt(t);
      const double d1 = (std::log(s / k) + (kRate + 0.5 * kVolatility * kVolatility) * t) / spread;
      auto normal = [](double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); };
      const double discounted = k * std::exp(-kRate * t);
      const double call = s * normal(d1) - discounted * normal(d1 - spread);
      return at < size_t(n) ? call : call + discounted - s;
    };
    // The formula subtracts products of up to 100.
    return bench::largestError(got, outputCount(), want, 1e-5, 1e-4);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const BlackScholes& p) : price(p.n), strike(p.n), years(p.n), out(p.outputCount()) {
      price.fill(BlackScholes::price);
      strike.fill(BlackScholes::strike);
      years.fill(BlackScholes::years);
    }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> price, strike, years, out;
  };

  int n;
};
