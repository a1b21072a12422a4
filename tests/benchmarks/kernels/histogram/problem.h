// Counts of the byte values of 2^23 words: atomics on 256 counters in shared memory, then on the result's.
#pragma once

#include <vector>

#include "harness/serve.h"

struct Histogram {
  using Output = unsigned;
  static constexpr int kThreads = 256, kBins = 256;

  explicit Histogram(bench::Size size) : n(bench::pick(size, 5000, 1 << 19, 1 << 23)) {}

  int blocks() const { return std::min(1024, (n + kThreads - 1) / kThreads); }
  // Squared, so that the counters are not hit evenly.
  static unsigned in(size_t i) {
    unsigned word = 0;
    for (int byte = 0; byte < 4; ++byte) {
      const float value = bench::uniform(1, 4 * i + byte);
      word |= static_cast<unsigned>(value * value * 256) << (8 * byte);
    }
    return word;
  }
  size_t outputCount() const { return kBins; }
  double error(const unsigned* got) const {
    std::vector<size_t> expected(kBins);
    for (int i = 0; i < n; ++i) {
      for (unsigned word = in(i), byte = 0; byte < 4; ++byte, word >>= 8) ++expected[word & 255];
    }
    return bench::largestError(got, kBins, [&](size_t bin) { return double(expected[bin]); }, 0, 0.5);
  }

  // The counts of a run are added to those of the runs before.
  template <template <class> class Memory>
  struct Data {
    explicit Data(const Histogram& p) : in(p.n), counts(kBins) { in.fill(Histogram::in); }
    void reset() { counts.clear(); }
    void result(unsigned* to) { counts.read(to); }
    Memory<unsigned> in, counts;
  };

  int n;
};
