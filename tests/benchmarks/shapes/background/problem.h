// Background subtraction over a picture of bytes: a pixel of three planes belongs to the foreground where it
// is far from the background, which follows the other pixels slowly.
#pragma once

#include "harness/serve.h"

struct Background {
  using Output = uint8_t;
  static constexpr int kThreads = 256;
  static constexpr float kKeep = 0.92f, kFar = 40.0f;

  explicit Background(bench::Size size) : n(bench::pick(size, 1000, 320 * 240, 1920 * 1080)) {}

  int blocks() const { return (n + kThreads - 1) / kThreads; }
  static uint8_t picture(size_t i) { return static_cast<uint8_t>(256 * bench::uniform(1, i)); }
  static uint8_t background(size_t i) {
    return static_cast<uint8_t>(
        std::clamp(static_cast<int>(picture(i)) + static_cast<int>(80 * bench::uniform(2, i)) - 40, 0, 255));
  }

  // The three planes of the background, then the mask.
  size_t outputCount() const { return 4 * size_t(n); }
  double error(const uint8_t* got) const {
    auto want = [this](size_t at) {
      const size_t i = at % n, plane = at / n;
      double distance = 0;
      for (size_t k = 0; k < 3; ++k)
        distance += std::abs(double(picture(k * n + i)) - double(background(k * n + i)));
      if (plane == 3) return distance > kFar ? 255.0 : 0.0;
      const double old = background(at);
      return distance > kFar ? old : std::floor(double(kKeep) * old + double(1 - kKeep) * picture(at) + 1e-4);
    };
    // A number that ends near a whole one may be cut to either side.
    return bench::largestError(got, outputCount(), want, 0, 1);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Background& p) : picture(3 * size_t(p.n)), out(p.outputCount()) {
      picture.fill(Background::picture);
    }
    // A run goes on from the background that the one before left.
    void reset() {
      out.fill(
          [this](size_t at) { return at < out.size() / 4 * 3 ? Background::background(at) : uint8_t{0}; });
    }
    void result(uint8_t* to) { out.read(to); }
    Memory<uint8_t> picture, out;
  };

  int n;
};
