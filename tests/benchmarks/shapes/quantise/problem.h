// Floats to bytes of eight bits and to shorts, with a scale and an offset; the conversions cut to the type's
// range.
#pragma once

#include "harness/serve.h"

struct Quantise {
  using Output = int16_t;
  static constexpr int kThreads = 256;
  static constexpr float kScale = 13.5f, kOffset = 3.25f;

  explicit Quantise(bench::Size size) : n(bench::pick(size, 1000, 1 << 17, 1 << 23)) {}

  int blocks() const { return (n + kThreads - 1) / kThreads; }
  static float value(size_t i) { return 20 * bench::uniform(1, i) - 10; }
  // First the shorts, then the bytes, widened.
  size_t outputCount() const { return 2 * size_t(n); }
  double error(const int16_t* got) const {
    auto want = [this](size_t at) {
      const float scaled = value(at % n) * kScale + kOffset;
      return at < size_t(n) ? std::trunc(double(scaled) * 100)
                            : std::clamp(std::nearbyint(double(scaled)), -128.0, 127.0);
    };
    return bench::largestError(got, outputCount(), want, 0, 1);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Quantise& p) : in(p.n), shorts(p.n), bytes(p.n) { in.fill(Quantise::value); }
    void reset() {
      shorts.clear();
      bytes.clear();
    }
    void result(int16_t* to) {
      shorts.read(to);
      bench::Buffer<int8_t> narrow(bytes.size());
      bytes.read(narrow.data());
      std::copy_n(narrow.data(), narrow.size(), to + shorts.size());
    }
    Memory<float> in;
    Memory<int16_t> shorts;
    Memory<int8_t> bytes;
  };

  int n;
};
