#include "sobol.h"

#include <crt/math_functions.h>

#include <algorithm>
#include <bit>

#include "directions.h"
#include "libs/core/share.h"

namespace musashim::rand {
namespace {

// What a word becomes. The kinds differ from those of pseudorandom words: each number takes one word alone.
float floatOf(std::uint32_t x) { return unitOf(x); }
float floatOf(std::uint64_t x) { return unitOf(std::uint32_t(x >> 32)); }
double doubleOf(std::uint32_t x) { return (double(x) + 1.0) * 0x1p-32; }
double doubleOf(std::uint64_t x) { return double(std::int64_t(x >> 11)) * 0x1p-53 + 0x1p-54; }

// The inverse of the normal distribution; words beyond the middle are mirrored, where numbers are finer.
float normalOf(std::uint32_t x) {
  const bool mirrored = x > 0x80000000u;
  const float p = unitOf(mirrored ? ~x : x);
  return (mirrored ? 1.4142135f : -1.4142135f) * ::erfcinvf(2.0f * p);
}
float normalOf(std::uint64_t x) { return normalOf(std::uint32_t(x >> 32)); }
double normalDoubleOf(double p, bool mirrored) {
  return (mirrored ? 1.4142135623730951 : -1.4142135623730951) * ::erfcinv(2.0 * p);
}
double normalDoubleOf(std::uint32_t x) {
  const bool mirrored = x > 0x80000000u;
  return normalDoubleOf(double(mirrored ? ~x : x) * 0x1p-32 + 0x1p-33, mirrored);
}
double normalDoubleOf(std::uint64_t x) {
  constexpr std::uint64_t middle = std::uint64_t{1} << 52, all = (std::uint64_t{1} << 53) - 1;
  const std::uint64_t bits = x >> 11;
  const bool mirrored = bits > middle;
  return normalDoubleOf(double(std::int64_t(mirrored ? all - bits : bits)) * 0x1p-53 + 0x1p-54, mirrored);
}

// Poisson numbers by inversion, but of 32-bit words for small lambdas and of 64-bit words for large ones, as
// recorded.
struct PoissonOf {
  std::shared_ptr<const Histogram> histogram;
  std::shared_ptr<const Cumulated> cumulated;

  GaussItem gauss;

  PoissonOf(double lambda, bool longWords) : gauss{lambda} {
    if (!longWords && lambda < 10)
      histogram = std::make_shared<Histogram>(lambda);
    else if (!longWords || lambda < kNormalFrom)
      cumulated = std::make_shared<Cumulated>(lambda);
  }
  template <class Word>
  std::uint32_t operator()(Word x) const {
    if (histogram) return HistogramItem{histogram.get()}.ofUnit(doubleOf(x));
    return cumulated ? cumulated->of(doubleOf(x)) : gauss.of(normalOf(x));
  }
};

template <class Word, std::size_t bits>
class Sobol : public Engine {
 public:
  Sobol(std::uint64_t offset, unsigned dimensions, const Word (*directions)[bits])
      : next_(offset), dimensions_(dimensions), directions_(directions) {}

 private:
  void make(const Request& request, void* out, std::size_t count) override {
    const Shape shape = request.shape;
    switch (request.kind) {
      case Kind::Word:
      case Kind::LongWord:
        return fill(static_cast<Word*>(out), count, [](Word x) { return x; });
      case Kind::Float:
        return fill(static_cast<float*>(out), count, [](Word x) { return floatOf(x); });
      case Kind::Double:
        return fill(static_cast<double*>(out), count, [](Word x) { return doubleOf(x); });
      case Kind::Normal:
        return fill(static_cast<float*>(out), count, [shape](Word x) { return shape.of(normalOf(x)); });
      case Kind::NormalDouble:
        return fill(static_cast<double*>(out), count,
                    [shape](Word x) { return shape.of(normalDoubleOf(x)); });
      case Kind::Poisson:
        return fill(static_cast<std::uint32_t*>(out), count, PoissonOf(request.lambda, bits == 64));
    }
  }

  template <class T, class Of>
  void fill(T* out, std::size_t count, const Of& of) {
    constexpr std::size_t piece = std::size_t{1} << 16;
    const std::size_t each = count / dimensions_, pieces = (each + piece - 1) / piece;
    libs::shareOut(pieces * dimensions_, [&](std::size_t i) {
      const std::size_t dimension = i / pieces, from = i % pieces * piece, to = std::min(each, from + piece);
      const Word* const directions = directions_[dimension];
      T* const target = out + dimension * each;
      // Places are words as well: behind the last comes the first.
      Word place = Word(next_ + from), x = 0;
      const Word code = place ^ place >> 1;
      for (std::size_t bit = 0; bit < bits; ++bit)
        if (code >> bit & 1) x ^= directions[bit];
      for (std::size_t k = from; k < to; ++k) {
        target[k] = of(x);
        const auto bit = std::size_t(std::countr_one(place++));
        x = bit < bits ? x ^ directions[bit] : 0;
      }
    });
    next_ += each;
  }

  std::uint64_t next_;
  unsigned dimensions_;
  const Word (*directions_)[bits];
};

}  // namespace

std::shared_ptr<Engine> sobol32(std::uint64_t offset, unsigned dimensions) {
  return std::make_shared<Sobol<std::uint32_t, 32>>(offset, dimensions, directions32());
}

std::shared_ptr<Engine> sobol64(std::uint64_t offset, unsigned dimensions) {
  return std::make_shared<Sobol<std::uint64_t, 64>>(offset, dimensions, directions64());
}

}  // namespace musashim::rand
