// Sums of blocks of 256 floats, one element per thread, over 2^25 floats.
#pragma once

#include "harness/serve.h"

struct Reduce {
  using Output = float;
  static constexpr int kThreads = 256;

  explicit Reduce(bench::Size size) : n(bench::pick(size, 4 * 256, 1 << 20, 1 << 25)) {}

  int blocks() const { return n / kThreads; }
  static float in(size_t i) { return bench::uniform(1, i) - 0.25f; }
  size_t outputCount() const { return blocks(); }
  double error(const float* got) const {
    auto sum = [](size_t block) {
      double total = 0;
      for (int t = 0; t < kThreads; ++t) total += in(block * kThreads + t);
      return total;
    };
    // Any order but one after another: sums of at most 192 after some 16 roundings.
    return bench::largestError(got, outputCount(), sum, 0, 16 * 192 * 6e-8);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Reduce& p) : in(p.n), out(p.blocks()) { in.fill(Reduce::in); }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> in, out;
  };

  int n;
};
