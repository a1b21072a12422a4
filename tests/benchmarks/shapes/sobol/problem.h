// Numbers of Sobol's kind in many dimensions: the xor of a dimension's direction numbers at the bits of the
// index. A block works on one dimension and keeps its directions in shared memory. The directions are random,
// which costs the same.
#pragma once

#include "harness/serve.h"

struct Sobol {
  using Output = float;
  static constexpr int kThreads = 64, kBits = 32, kBlocksEach = 8;

  explicit Sobol(bench::Size size)
      : dimensions(bench::pick(size, 3, 32, 256)), n(bench::pick(size, 600, 1 << 13, 1 << 16)) {}

  static uint32_t direction(size_t at) {
    const auto bit = static_cast<uint32_t>(at % kBits);
    return (static_cast<uint32_t>(bench::uniform(1, at) * 0x1p24f) << 8 | 1u << 31) >> bit;
  }
  size_t outputCount() const { return size_t(dimensions) * n; }
  double error(const float* got) const {
    auto want = [this](size_t at) {
      const size_t dimension = at / n, i = at % n, gray = i ^ (i >> 1);
      uint32_t bits = 0;
      for (size_t bit = 0; bit < kBits; ++bit)
        bits ^= gray >> bit & 1 ? direction(dimension * kBits + bit) : 0;
      return double(static_cast<float>(bits) * 0x1p-32f);
    };
    return bench::largestError(got, outputCount(), want, 0, 1e-7);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Sobol& p) : directions(size_t(p.dimensions) * kBits), out(p.outputCount()) {
      directions.fill(Sobol::direction);
    }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<uint32_t> directions;
    Memory<float> out;
  };

  int dimensions, n;
};
