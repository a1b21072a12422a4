// What a generator's words become: each item takes `kWords` words of its sequence and makes `kOutputs`
// numbers.
#pragma once

#include <crt/gpu_math.h>
#include <crt/gpu_math_double.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace musashim::rand {

constexpr float kStep = 0x1p-32f;
// From 1 to m1 onto the 32-bit words, and onto (0, 1]: cuRAND's factors.
constexpr double kM1ToWords = 1.000000048662, kM1ToUnit = 2.3283065498378288e-10;

// (0, 1] of a word.
inline float unitOf(std::uint32_t x) { return float(x) * kStep + kStep / 2; }
// (0, 1] of two words, 53 bits.
inline double unitOf(std::uint32_t x, std::uint32_t y) {
  const std::uint64_t bits = std::uint64_t{x} ^ std::uint64_t{y} << 21;
  return double(std::int64_t(bits)) * 0x1p-53 + 0x1p-54;
}

// The two numbers of Box and Muller.
inline void boxMuller(std::uint32_t x, std::uint32_t y, float* pair) {
  const float radius = std::sqrt(-2.0f * std::log(unitOf(x)));
  const float angle = float(y) * (kStep * 6.2831855f) + kStep * 6.2831855f / 2;
  pair[0] = radius * std::sin(angle);
  pair[1] = radius * std::cos(angle);
}
inline void boxMuller(double u, double v, double* pair) {
  constexpr double twoPi = 6.283185307179586;
  const double radius = std::sqrt(-2.0 * std::log(u));
  pair[0] = radius * std::sin(twoPi * v);
  pair[1] = radius * std::cos(twoPi * v);
}

// As a GPU computes them. Part of the loops that call it, which are made of vectors then.
[[gnu::always_inline]] inline void gpuBoxMuller(float u, float angle, float* pair) {
  const float radius = std::sqrt(-2.0f * __musa_gpu_logf(u));
  float sine, cosine;
  __musa_gpu_sincosf(angle, &sine, &cosine);
  pair[0] = radius * sine;
  pair[1] = radius * cosine;
}

[[gnu::always_inline]] inline void gpuBoxMuller(double u, double v, double* pair) {
  const double radius = std::sqrt(-2.0 * __musa_gpu_log(u));
  double sine, cosine;
  __musa_gpu_sincospi(2.0 * v, &sine, &cosine);
  pair[0] = radius * sine;
  pair[1] = radius * cosine;
}

// What the words of a pair are: a number of (0, 1], and an angle. A GPU rounds once.
template <bool toM1>
[[gnu::always_inline]] inline float gpuUnitOf(std::uint32_t x) {
  return toM1 ? float(double(x) * kM1ToUnit) : unitOf(x);
}
template <bool toM1>
[[gnu::always_inline]] inline float gpuAngleOf(std::uint32_t x) {
  constexpr float step = kStep * 6.2831855f;
  return toM1 ? float(double(x) * kM1ToUnit) * 6.2831855f : std::fma(float(x), step, step / 2);
}

// Normal numbers, or their exponentials, by the functions of a GPU or of the C library: cuRAND's generators
// of devices and of the host differ by them.
struct Shape {
  double mean = 0, deviation = 1;
  bool exponential = false;
  bool onDevice = false;

  float of(float x) const {
    const float y = float(mean) + x * float(deviation);
    if (!exponential) return y;
    return onDevice ? __musa_gpu_expf(y) : std::exp(y);
  }
  double of(double x) const {
    if (!onDevice) return exponential ? std::exp(mean + x * deviation) : mean + x * deviation;
    const double y = std::fma(x, deviation, mean);
    return exponential ? __musa_gpu_exp(y) : y;
  }
};

struct WordItem {
  using Output = std::uint32_t;
  static constexpr int kWords = 1, kM1Words = 1, kOutputs = 1;
  template <bool toM1>
  void make(const std::uint32_t* w, Output* out) const {
    *out = toM1 ? std::uint32_t(double(w[0]) * kM1ToWords) : w[0];
  }
};

struct FloatItem {
  using Output = float;
  static constexpr int kWords = 1, kM1Words = 1, kOutputs = 1;
  template <bool toM1>
  void make(const std::uint32_t* w, Output* out) const {
    *out = toM1 ? float(double(w[0]) * kM1ToUnit) : unitOf(w[0]);
  }
};

struct DoubleItem {
  using Output = double;
  static constexpr int kWords = 2, kM1Words = 1, kOutputs = 1;
  template <bool toM1>
  void make(const std::uint32_t* w, Output* out) const {
    *out = toM1 ? double(w[0]) * kM1ToUnit : unitOf(w[0], w[1]);
  }
};

struct NormalItem {
  using Output = float;
  static constexpr int kWords = 2, kM1Words = 2, kOutputs = 2;
  Shape shape;
  template <bool toM1>
  void make(const std::uint32_t* w, Output* out) const {
    if (shape.onDevice) {
      gpuBoxMuller(gpuUnitOf<toM1>(w[0]), gpuAngleOf<toM1>(w[1]), out);
      out[0] = shape.of(out[0]);
      out[1] = shape.of(out[1]);
    } else if constexpr (toM1) {
      const float radius = std::sqrt(-2.0f * std::log(float(double(w[0]) * kM1ToUnit)));
      const float angle = float(double(w[1]) * kM1ToUnit) * 6.2831855f;
      out[0] = shape.of(radius * std::sin(angle));
      out[1] = shape.of(radius * std::cos(angle));
    } else {
      boxMuller(w[0], w[1], out);
      out[0] = shape.of(out[0]);
      out[1] = shape.of(out[1]);
    }
  }
};

struct NormalDoubleItem {
  using Output = double;
  static constexpr int kWords = 4, kM1Words = 2, kOutputs = 2;
  Shape shape;
  // What Box and Muller's pair is made of.
  template <bool toM1>
  static void units(const std::uint32_t* w, Output* out) {
    out[0] = toM1 ? double(w[0]) * kM1ToUnit : unitOf(w[0], w[1]);
    out[1] = toM1 ? double(w[1]) * kM1ToUnit : unitOf(w[2], w[3]);
  }
  template <bool toM1>
  void make(const std::uint32_t* w, Output* out) const {
    units<toM1>(w, out);
    shape.onDevice ? gpuBoxMuller(out[0], out[1], out) : boxMuller(out[0], out[1], out);
    out[0] = shape.of(out[0]);
    out[1] = shape.of(out[1]);
  }
};

}  // namespace musashim::rand
