// The cosine transform of tiles of 8 x 8, a block of 64 threads per tile: rows, then columns, through shared
// memory.
#pragma once

#include "harness/serve.h"

struct Cosine {
  using Output = float;
  static constexpr int kSide = 8, kTile = kSide * kSide;

  explicit Cosine(bench::Size size) : tiles(bench::pick(size, 5, 1024, 1 << 15)) {}

  static float value(size_t i) { return 256 * bench::uniform(1, i) - 128; }
  // Entry `at` of the matrix, row by row.
  static double entry(size_t at) {
    const double row = double(at / kSide), column = double(at % kSide);
    return std::cos((2 * column + 1) * row * 3.14159265358979323846 / 16) *
           (row == 0 ? std::sqrt(0.125) : 0.5);
  }
  size_t outputCount() const { return size_t(tiles) * kTile; }
  double error(const float* got) const {
    auto want = [](size_t at) {
      const size_t tile = at / kTile * kTile, v = at % kTile / kSide, u = at % kSide;
      double sum = 0;
      for (size_t y = 0; y < kSide; ++y) {
        for (size_t x = 0; x < kSide; ++x)
          sum += entry(v * kSide + y) * entry(u * kSide + x) * value(tile + y * kSide + x);
      }
      return sum;
    };
    return bench::largestError(got, outputCount(), want, 1e-5, 1e-3);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Cosine& p) : in(p.outputCount()), matrix(kTile), out(p.outputCount()) {
      in.fill(Cosine::value);
      matrix.fill([](size_t at) { return static_cast<float>(Cosine::entry(at)); });
    }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> in, matrix, out;
  };

  int tiles;
};
