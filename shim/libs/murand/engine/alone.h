// What words become where each number takes one word alone: numbers of Sobol's sequences and of MT19937.
#pragma once

#include <crt/math_functions.h>

#include <cstdint>
#include <memory>

#include "engine.h"
#include "items.h"
#include "poisson.h"

namespace musashim::rand {

inline float floatOf(std::uint32_t x) { return unitOf(x); }
inline float floatOf(std::uint64_t x) { return unitOf(std::uint32_t(x >> 32)); }
inline double doubleOf(std::uint32_t x) { return (double(x) + 1.0) * 0x1p-32; }
inline double doubleOf(std::uint64_t x) { return double(std::int64_t(x >> 11)) * 0x1p-53 + 0x1p-54; }

// The inverse of the normal distribution; words beyond the middle are mirrored, where numbers are finer.
// Floats by the GPU's function or by an exact one, as cuRAND's generators of devices and of the host have
// them.
inline float normalOf(std::uint32_t x, bool onDevice) {
  const bool mirrored = x > 0x80000000u;
  const float twice = 2.0f * unitOf(mirrored ? ~x : x);
  return (mirrored ? 1.4142135f : -1.4142135f) * (onDevice ? __musa_gpu_erfcinvf(twice) : ::erfcinvf(twice));
}
inline float normalOf(std::uint64_t x, bool onDevice) { return normalOf(std::uint32_t(x >> 32), onDevice); }
inline double normalDoubleOf(double p, bool mirrored, bool onDevice) {
  const double twice = 2.0 * p;
  return (mirrored ? 1.4142135623730951 : -1.4142135623730951) *
         (onDevice ? __musa_gpu_erfcinv(twice) : ::erfcinv(twice));
}
inline double normalDoubleOf(std::uint32_t x, bool onDevice) {
  const bool mirrored = x > 0x80000000u;
  return normalDoubleOf(double(mirrored ? ~x : x) * 0x1p-32 + 0x1p-33, mirrored, onDevice);
}
inline double normalDoubleOf(std::uint64_t x, bool onDevice) {
  constexpr std::uint64_t middle = std::uint64_t{1} << 52, all = (std::uint64_t{1} << 53) - 1;
  const std::uint64_t bits = x >> 11;
  const bool mirrored = bits > middle;
  return normalDoubleOf(double(std::int64_t(mirrored ? all - bits : bits)) * 0x1p-53 + 0x1p-54, mirrored,
                        onDevice);
}

// Poisson numbers by inversion, but of 32-bit words for small lambdas and of 64-bit words for large ones, as
// recorded.
struct PoissonOf {
  std::shared_ptr<const Histogram> histogram;
  std::shared_ptr<const Cumulated> cumulated;

  GaussItem gauss;

  PoissonOf(double lambda, bool longWords, bool onDevice) : gauss{lambda, onDevice} {
    if (!longWords && lambda < 10)
      histogram = std::make_shared<Histogram>(lambda);
    else if (!longWords || lambda < kNormalFrom)
      cumulated = std::make_shared<Cumulated>(lambda);
  }
  template <class Word>
  std::uint32_t operator()(Word x) const {
    if (histogram) return HistogramItem{histogram.get()}.ofUnit(doubleOf(x));
    return cumulated ? cumulated->of(doubleOf(x)) : gauss.of(normalOf(x, gauss.onDevice));
  }
};

// Calls `fill(out, of)` with what the request's numbers are made by, each of a word.
template <class Word, class Fill>
void makeAlone(const Request& request, void* out, const Fill& fill) {
  const Shape shape = request.shape;
  switch (request.kind) {
    case Kind::Word:
    case Kind::LongWord:
      return fill(static_cast<Word*>(out), [](Word x) { return x; });
    case Kind::Float:
      return fill(static_cast<float*>(out), [](Word x) { return floatOf(x); });
    case Kind::Double:
      return fill(static_cast<double*>(out), [](Word x) { return doubleOf(x); });
    case Kind::Normal:
      return fill(static_cast<float*>(out),
                  [shape](Word x) { return shape.of(normalOf(x, shape.onDevice)); });
    case Kind::NormalDouble:
      return fill(static_cast<double*>(out),
                  [shape](Word x) { return shape.of(normalDoubleOf(x, shape.onDevice)); });
    case Kind::Poisson:
      return fill(static_cast<std::uint32_t*>(out),
                  PoissonOf(request.lambda, sizeof(Word) == 8, shape.onDevice));
  }
}

}  // namespace musashim::rand
