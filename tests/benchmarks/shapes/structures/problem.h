// A step of particles kept as an array of structures of eight floats; with LAYOUT=1 as eight arrays.
#pragma once

#include "harness/serve.h"

struct Structures {
  using Output = float;
  static constexpr int kThreads = 256, kFields = 8;
  static constexpr float kStep = 0.01f;
#if LAYOUT
  static constexpr bool kArrays = true;
#else
  static constexpr bool kArrays = false;
#endif

  explicit Structures(bench::Size size) : n(bench::pick(size, 1000, 1 << 15, 1 << 21)) {}

  int blocks() const { return (n + kThreads - 1) / kThreads; }
  // Place x, y, z, mass, speed x, y, z, age of particle `i`.
  static float start(size_t i, size_t field) {
    return bench::uniform(field + 1, i) + (field == 3 ? 1.0f : 0.0f);
  }
  size_t index(size_t i, size_t field) const { return kArrays ? field * n + i : i * kFields + field; }

  size_t outputCount() const { return kFields * size_t(n); }
  double error(const float* got) const {
    double worst = 0;
    for (size_t i = 0; i < size_t(n); ++i) {
      double f[kFields];
      for (size_t field = 0; field < kFields; ++field) f[field] = start(i, field);
      for (int axis = 0; axis < 3; ++axis) {
        f[4 + axis] -= double(kStep) * f[axis] / f[3];
        f[axis] += double(kStep) * f[4 + axis];
      }
      f[7] += kStep;
      for (size_t field = 0; field < kFields; ++field) {
        worst = std::max(worst, bench::largestError(
                                    got + index(i, field), 1, [&](size_t) { return f[field]; }, 1e-6, 1e-6));
      }
    }
    return worst;
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Structures& p) : problem(p), out(p.outputCount()) {}
    void reset() {
      out.fill([this](size_t at) {
        return kArrays ? start(at % problem.n, at / problem.n) : start(at / kFields, at % kFields);
      });
    }
    void result(float* to) { out.read(to); }
    const Structures& problem;
    Memory<float> out;
  };

  int n;
};

struct Particle {
  float x, y, z, mass, vx, vy, vz, age;
};
