// A step of the lattice Boltzmann method with nine speeds on a small grid that is closed to a ring on both
// sides.
#pragma once

#include "harness/serve.h"

struct Lattice {
  using Output = float;
  static constexpr int kThreads = 64, kSpeeds = 9;
  static constexpr float kOmega = 1.2f;

  explicit Lattice(bench::Size size) : n(bench::pick(size, 32, 128, 1024)) {}

  static constexpr int kX[kSpeeds] = {0, 1, 0, -1, 0, 1, -1, -1, 1},
                       kY[kSpeeds] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  static constexpr float weight(int k) { return k == 0 ? 4.0f / 9 : k < 5 ? 1.0f / 9 : 1.0f / 36; }
  float start(size_t at) const {
    return weight(static_cast<int>(at / n / n)) * (0.9f + 0.2f * bench::uniform(1, at));
  }
  size_t outputCount() const { return kSpeeds * size_t(n) * n; }
  double error(const float* got) const {
    double worst = 0;
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        double f[kSpeeds], density = 0, ux = 0, uy = 0;
        for (int k = 0; k < kSpeeds; ++k) {
          f[k] = start((size_t(k) * n + (y - kY[k] + n) % n) * n + (x - kX[k] + n) % n);
          density += f[k];
          ux += kX[k] * f[k];
          uy += kY[k] * f[k];
        }
        ux /= density;
        uy /= density;
        for (int k = 0; k < kSpeeds; ++k) {
          const double along = 3 * (kX[k] * ux + kY[k] * uy);
          const double rest =
              density * weight(k) * (1 + along + along * along / 2 - 1.5 * (ux * ux + uy * uy));
          const double want = f[k] + double(kOmega) * (rest - f[k]);
          worst = std::max(
              worst, bench::largestError(
                         got + (size_t(k) * n + y) * n + x, 1, [&](size_t) { return want; }, 1e-5, 1e-6));
        }
      }
    }
    return worst;
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Lattice& p) : in(p.outputCount()), out(p.outputCount()) {
      in.fill([&p](size_t at) { return p.start(at); });
    }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> in, out;
  };

  int n;
};
