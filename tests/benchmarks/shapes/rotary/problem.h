// Rotary embedding: pairs of neighbours in rows of 128 are turned by an angle of their place, read from
// tables; all rows of 32 heads share their token's angles.
#pragma once

#include "harness/serve.h"

struct Rotary {
  using Output = float;
  static constexpr int kPairs = 64, kHeads = 32;

  explicit Rotary(bench::Size size) : tokens(bench::pick(size, 3, 64, 1 << 13)) {}

  static float value(size_t i) { return 2 * bench::uniform(1, i) - 1; }
  static double angle(size_t at) {
    return double(at / kPairs) * std::pow(10000.0, -double(at % kPairs) / kPairs);
  }
  static float cosine(size_t at) { return static_cast<float>(std::cos(angle(at))); }
  static float sine(size_t at) { return static_cast<float>(std::sin(angle(at))); }

  size_t outputCount() const { return size_t(tokens) * kHeads * kPairs * 2; }
  double error(const float* got) const {
    auto want = [](size_t at) {
      const size_t pair = at / 2 % kPairs, token = at / (2 * kPairs * kHeads), first = at / 2 * 2;
      const double c = cosine(token * kPairs + pair), s = sine(token * kPairs + pair);
      const double x = value(first), y = value(first + 1);
      return at % 2 == 0 ? x * c - y * s : x * s + y * c;
    };
    return bench::largestError(got, outputCount(), want, 0, 1e-6);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Rotary& p)
        : in(p.outputCount()),
          cosine(size_t(p.tokens) * kPairs),
          sine(size_t(p.tokens) * kPairs),
          out(p.outputCount()) {
      in.fill(Rotary::value);
      cosine.fill(Rotary::cosine);
      sine.fill(Rotary::sine);
    }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> in, cosine, sine, out;
  };

  int tokens;
};
