#include "sobol.h"

#include <algorithm>
#include <bit>

#include "directions.h"
#include "libs/core/share.h"
#include "libs/murand/engine/alone.h"
#include "scrambling.h"

namespace musashim::rand {
namespace {

template <class Word, std::size_t bits>
class Sobol : public Engine {
 public:
  // `constants` are what scrambled sequences start from; none for others, which start from 0.
  Sobol(std::uint64_t offset, unsigned dimensions, const Word (*directions)[bits],
        const Word* constants = nullptr)
      : next_(offset), dimensions_(dimensions), directions_(directions), constants_(constants) {}

 private:
  void make(const Request& request, void* out, std::size_t count) override {
    makeAlone<Word>(request, out, [&](auto* target, const auto& of) { fill(target, count, of); });
  }

  template <class T, class Of>
  void fill(T* out, std::size_t count, const Of& of) {
    constexpr std::size_t piece = std::size_t{1} << 16;
    const std::size_t each = count / dimensions_, pieces = (each + piece - 1) / piece;
    libs::shareOut(pieces * dimensions_, [&](std::size_t i) {
      const std::size_t dimension = i / pieces, from = i % pieces * piece, to = std::min(each, from + piece);
      const Word* const directions = directions_[dimension];
      const Word constant = constants_ != nullptr ? constants_[dimension] : 0;
      T* const target = out + dimension * each;
      // Places are words as well: behind the last comes the first.
      Word place = Word(next_ + from), x = constant;
      const Word code = place ^ place >> 1;
      for (std::size_t bit = 0; bit < bits; ++bit)
        if (code >> bit & 1) x ^= directions[bit];
      for (std::size_t k = from; k < to; ++k) {
        target[k] = of(x);
        const auto bit = std::size_t(std::countr_one(place++));
        x = bit < bits ? x ^ directions[bit] : constant;
      }
    });
    next_ += each;
  }

  std::uint64_t next_;
  unsigned dimensions_;
  const Word (*directions_)[bits];
  const Word* constants_;
};

}  // namespace

std::shared_ptr<Engine> sobol32(std::uint64_t offset, unsigned dimensions) {
  return std::make_shared<Sobol<std::uint32_t, 32>>(offset, dimensions, directions32());
}

std::shared_ptr<Engine> sobol64(std::uint64_t offset, unsigned dimensions) {
  return std::make_shared<Sobol<std::uint64_t, 64>>(offset, dimensions, directions64());
}

std::shared_ptr<Engine> scrambledSobol32(std::uint64_t offset, unsigned dimensions) {
  return std::make_shared<Sobol<std::uint32_t, 32>>(offset, dimensions, scrambledDirections32(),
                                                    scrambleConstants32());
}

std::shared_ptr<Engine> scrambledSobol64(std::uint64_t offset, unsigned dimensions) {
  return std::make_shared<Sobol<std::uint64_t, 64>>(offset, dimensions, scrambledDirections64(),
                                                    scrambleConstants64());
}

}  // namespace musashim::rand
