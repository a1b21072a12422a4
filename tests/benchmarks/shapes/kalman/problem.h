// A Kalman filter per thread: four numbers of state (place and speed in a plane), two measured, 32 steps. Its
// small matrices are arrays in local memory.
#pragma once

#include "harness/serve.h"

struct Kalman {
  using Output = float;
  static constexpr int kThreads = 128, kSteps = 32;
  static constexpr float kStep = 0.1f, kDrift = 0.01f, kNoise = 0.25f;

  explicit Kalman(bench::Size size) : n(bench::pick(size, 300, 1 << 13, 1 << 17)) {}

  int blocks() const { return (n + kThreads - 1) / kThreads; }
  // Measurement `axis` of step `step` of filter `i` is at (step * 2 + axis) * n + i.
  float measured(size_t at) const {
    const size_t step = at / n / 2;
    return 0.5f * static_cast<float>(step) * kStep + bench::uniform(1, at) - 0.5f;
  }

  // The states at the end, one number of all filters after the other.
  size_t outputCount() const { return 4 * size_t(n); }
  double error(const float* got) const;

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Kalman& p) : measured(size_t(p.n) * kSteps * 2), out(p.outputCount()) {
      measured.fill([&p](size_t at) { return p.measured(at); });
    }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> measured, out;
  };

  int n;
};

// One filter in any precision: `measured(step, axis)` gives what was measured; `x` is the state at the end.
template <class T, class Measured>
inline void kalmanFilter(Measured measured, T (&x)[4]) {
  T cov[4][4] = {};
  for (int i = 0; i < 4; ++i) {
    x[i] = 0;
    cov[i][i] = 1;
  }
  for (int step = 0; step < Kalman::kSteps; ++step) {
    // What the model foresees: x = F x, cov = F cov F' + Q.
    for (int i = 0; i < 2; ++i) x[i] += T(Kalman::kStep) * x[i + 2];
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 4; ++j) cov[i][j] += T(Kalman::kStep) * cov[i + 2][j];
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 2; ++j) cov[i][j] += T(Kalman::kStep) * cov[i][j + 2];
    }
    for (int i = 0; i < 4; ++i) cov[i][i] += T(Kalman::kDrift);
    // The gain cov H' / (H cov H' + R), by the inverse of two by two.
    const T s00 = cov[0][0] + T(Kalman::kNoise), s01 = cov[0][1], s10 = cov[1][0],
            s11 = cov[1][1] + T(Kalman::kNoise);
    const T scale = 1 / (s00 * s11 - s01 * s10);
    T gain[4][2];
    for (int i = 0; i < 4; ++i) {
      gain[i][0] = (cov[i][0] * s11 - cov[i][1] * s10) * scale;
      gain[i][1] = (cov[i][1] * s00 - cov[i][0] * s01) * scale;
    }
    const T off0 = measured(step, 0) - x[0], off1 = measured(step, 1) - x[1];
    for (int i = 0; i < 4; ++i) x[i] += gain[i][0] * off0 + gain[i][1] * off1;
    T rows[2][4];
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 4; ++j) rows[i][j] = cov[i][j];
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) cov[i][j] -= gain[i][0] * rows[0][j] + gain[i][1] * rows[1][j];
    }
  }
}

inline double Kalman::error(const float* got) const {
  double worst = 0;
  for (size_t i = 0; i < size_t(n); ++i) {
    double x[4];
    kalmanFilter<double>(
        [&](int step, int axis) { return double(measured((size_t(step) * 2 + axis) * n + i)); }, x);
    for (int part = 0; part < 4; ++part) {
      worst = std::max(
          worst,
          bench::largestError(got + size_t(part) * n + i, 1, [&](size_t) { return x[part]; }, 1e-3, 1e-3));
    }
  }
  return worst;
}
