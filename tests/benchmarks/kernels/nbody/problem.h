// Gravity among 8192 bodies, all pairs; tiles of 256 bodies in shared memory.
#pragma once

#include <vector>

#include "harness/serve.h"

struct Body {
  float x, y, z, mass;
};

struct NBody {
  using Output = float;
  static constexpr int kThreads = 256;
  static constexpr float kSoftening = 0.01f;

  explicit NBody(bench::Size size) : n(bench::pick(size, 512, 2048, 8192)) {}

  static float coordinate(size_t i) {
    return i % 4 == 3 ? 0.5f + bench::uniform(2, i) : bench::uniform(1, i);
  }
  size_t outputCount() const { return 4 * size_t(n); }
  double error(const float* got) const {
    if (expected.empty()) accelerate();
    // Sums of n terms; single terms reach 1 / kSoftening.
    return bench::largestError(got, outputCount(), [&](size_t i) { return expected[i]; }, 1e-4, 1e-6 * n);
  }

  // Four floats a body: position and mass; the accelerations likewise, with a zero.
  template <template <class> class Memory>
  struct Data {
    explicit Data(const NBody& p) : bodies(p.outputCount()), out(p.outputCount()) { bodies.fill(coordinate); }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> bodies, out;
  };

  int n;

 private:
  void accelerate() const {
    std::vector<double> at(outputCount());
    for (size_t i = 0; i < at.size(); ++i) at[i] = coordinate(i);
    expected.assign(outputCount(), 0);
    for (size_t i = 0; i < at.size(); i += 4) {
      for (size_t j = 0; j < at.size(); j += 4) {
        const double dx = at[j] - at[i], dy = at[j + 1] - at[i + 1], dz = at[j + 2] - at[i + 2];
        const double squared = dx * dx + dy * dy + dz * dz + kSoftening;
        const double factor = at[j + 3] / (squared * std::sqrt(squared));
        expected[i] += dx * factor;
        expected[i + 1] += dy * factor;
        expected[i + 2] += dz * factor;
      }
    }
  }
  mutable std::vector<double> expected;
};
