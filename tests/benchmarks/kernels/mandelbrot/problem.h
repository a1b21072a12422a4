// Escape times of 2048 x 2048 points, at most 256 steps; blocks of 16 x 16. Neighbouring threads diverge.
#pragma once

#include "harness/serve.h"

struct Mandelbrot {
  using Output = unsigned;
  static constexpr int kSide = 16;
  static constexpr unsigned kSteps = 256;

  explicit Mandelbrot(bench::Size size)
      : n(bench::pick(size, 64, 512, 2048)), step(2.5f / static_cast<float>(n)) {}

  // The corner of the image; the point of (x, y) is (kLeft + x * step, kTop + y * step).
  static constexpr float kLeft = -2.0f, kTop = -1.25f;

  template <class Real>
  static unsigned escape(Real cx, Real cy) {
    Real x = 0, y = 0;
    unsigned count = 0;
    while (count < kSteps && x * x + y * y <= Real(4)) {
      const Real next = x * x - y * y + cx;
      y = Real(2) * x * y + cy;
      x = next;
      ++count;
    }
    return count;
  }

  size_t outputCount() const { return size_t(n) * n; }
  // Near the set's edge a rounding decides the count: one point in a hundred may differ from double's.
  double error(const unsigned* got) const {
    size_t different = 0;
    for (size_t i = 0; i < outputCount(); ++i) {
      const double cx = kLeft + double(i % n) * step, cy = kTop + double(i / n) * step;
      different += got[i] != escape(cx, cy);
    }
    return static_cast<double>(different) / (0.01 * static_cast<double>(outputCount()));
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Mandelbrot& p) : out(p.outputCount()) {}
    void reset() { out.clear(); }
    void result(unsigned* to) { out.read(to); }
    Memory<unsigned> out;
  };

  int n;
  float step;
};
