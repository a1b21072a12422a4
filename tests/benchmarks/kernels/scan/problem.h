// Inclusive sum of 2^24 unsigned numbers: blocks of 256, then the blocks' sums the same way (3 levels at full
// size), then their addition.
#pragma once

#include "harness/serve.h"

struct Scan {
  using Output = unsigned;
  static constexpr int kThreads = 256;

  explicit Scan(bench::Size size) : n(bench::pick(size, 3 * 256 * 256 + 77, 1 << 18, 1 << 24)) {}

  static int blocks(int count) { return (count + kThreads - 1) / kThreads; }
  static unsigned in(size_t i) { return static_cast<unsigned>(bench::uniform(1, i) * 1000); }
  size_t outputCount() const { return n; }
  double error(const unsigned* got) const {
    uint64_t sum = 0;  // fewer than 2^32 * 1000; results are modulo 2^32
    auto want = [&sum](size_t i) { return double(static_cast<unsigned>(sum += in(i))); };
    return bench::largestError(got, n, want, 0, 0.5);
  }

  // `sums` and `scanned` hold all levels' block sums, one after another,
  // with room to align them.
  template <template <class> class Memory>
  struct Data {
    explicit Data(const Scan& p) : in(p.n), out(p.n), sums(2 * blocks(p.n) + 256), scanned(sums.size()) {
      in.fill(Scan::in);
    }
    void reset() { out.clear(); }
    void result(unsigned* to) { out.read(to); }
    Memory<unsigned> in, out, sums, scanned;
  };

  int n;
};
