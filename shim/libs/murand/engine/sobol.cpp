#include "sobol.h"

#include <algorithm>
#include <bit>

#include "alone.h"
#include "directions.h"
#include "libs/core/share.h"

namespace musashim::rand {
namespace {

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
