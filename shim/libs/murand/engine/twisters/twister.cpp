#include "twister.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "libs/core/share.h"
#include "libs/murand/engine/alone.h"
#include "libs/murand/engine/processors.h"
#include "twister_jump.h"

namespace musashim::rand {
namespace {

constexpr std::size_t kParts = 8192, kPlaces = 8;       // in a row, eight words of each
constexpr std::size_t kRows = kTwisterWords / kPlaces;  // that a round of 624 words fills
constexpr std::size_t kChunk = 64;                      // parts that one thread makes
constexpr unsigned kDistance = 2048;                    // of parts, as a power of two

// Which of a round's words a row has at each place, as recorded: eight far apart, then the others in blocks
// of 7 x 8, by columns.
struct Order {
  std::uint16_t words[kRows][kPlaces];

  Order() : words{{0, 113, 170, 283, 340, 397, 510, 567}} {
    std::size_t row = 1;
    std::vector<std::uint16_t> block;
    for (std::uint16_t i = 0; i < kTwisterWords; ++i) {
      if (std::find(words[0], words[0] + kPlaces, i) != words[0] + kPlaces) continue;
      block.push_back(i);
      if (block.size() < 56) continue;
      for (std::size_t k = 0; k < 56; ++k) words[row + k % 7][k / 7] = block[k];
      row += 7;
      block.clear();
    }
  }
};
const Order& order() {
  static const Order order;
  return order;
}

MUSASHIM_RAND_LEVELS void temper(const std::uint32_t* __restrict state, std::uint32_t* __restrict words) {
  for (std::size_t i = 0; i < kTwisterWords; ++i) {
    std::uint32_t y = state[i];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    words[i] = y ^ y >> 18;
  }
}

// From part to part, and from chunk to chunk.
const TwisterJump& toNextPart() {
  static const TwisterJump& jump = *new TwisterJump(kDistance, 1);
  return jump;
}
const TwisterJump& toNextChunk() {
  static const TwisterJump& jump = *new TwisterJump(kDistance, kChunk);
  return jump;
}

// One number of a word. Floats are rounded once, where Sobol's are twice.
float floatOfMiddle(std::uint32_t x) { return static_cast<float>((static_cast<double>(x) + 0.5) * 0x1p-32); }
double doubleOfMiddle(std::uint32_t x) { return (static_cast<double>(x) + 0.5) * 0x1p-32; }

// Poisson numbers of large lambdas, in float, as recorded.
struct RoundedNormal {
  float root, mean;
  bool onDevice;

  RoundedNormal(double lambda, bool device)
      : root(std::sqrt(static_cast<float>(lambda))), mean(static_cast<float>(lambda)), onDevice(device) {}
  std::uint32_t operator()(std::uint32_t x) const {
    const float normal = normalOf(x, onDevice);
    const float number = (onDevice ? std::fma(root, normal, mean) : root * normal + mean) + 0.5f;
    return number > 0 ? static_cast<std::uint32_t>(number) : 0;
  }
};

class Twister : public Engine {
 public:
  explicit Twister(std::uint64_t seed) {
    const std::uint64_t folded = seed ^ seed >> 32;
    next_[0] = static_cast<std::uint32_t>(folded);
    for (std::uint32_t i = 1; i < kTwisterWords; ++i)
      next_[i] = 1812433253u * (next_[i - 1] ^ next_[i - 1] >> 30) + i;
  }

 private:
  struct Part {
    TwisterState state;
    std::uint64_t rounds = 0;  // that are over, with the one in `words`
    std::uint32_t words[kTwisterWords];
  };

  void make(const Request& request, void* out, std::size_t count) override {
    const Shape shape = request.shape;
    switch (request.kind) {
      case Kind::Word:
        return fill(static_cast<std::uint32_t*>(out), count, [](std::uint32_t x) { return x; });
      case Kind::LongWord:
        return;  // refused before
      case Kind::Float:
        return fill(static_cast<float*>(out), count, floatOfMiddle);
      case Kind::Double:
        return fill(static_cast<double*>(out), count, doubleOfMiddle);
      case Kind::Normal:
        return fill(static_cast<float*>(out), count,
                    [shape](std::uint32_t x) { return shape.of(normalOf(x, shape.onDevice)); });
      case Kind::NormalDouble:
        return fill(static_cast<double*>(out), count,
                    [shape](std::uint32_t x) { return shape.of(normalDoubleOf(x, shape.onDevice)); });
      case Kind::Poisson:
        if (request.histogram) {
          const HistogramItem item{request.histogram.get()};
          return fill(static_cast<std::uint32_t*>(out), count,
                      [item](std::uint32_t x) { return item.of(x); });
        }
        return fill(static_cast<std::uint32_t*>(out), count, RoundedNormal(request.lambda, shape.onDevice));
    }
  }

  template <class T, class Of>
  void fill(T* out, std::size_t count, const Of& of) {
    constexpr std::size_t width = kParts * kPlaces;
    const std::uint64_t begin = position_, end = begin + count, first = begin / width,
                        last = (end - 1) / width;
    const bool hasWhole = first != last || end % width == 0;
    need(hasWhole ? kParts : (end % width + kPlaces - 1) / kPlaces);
    const std::size_t chunks = parts_.size() / kChunk;
    libs::shareOut(chunks, [&](std::size_t chunk) {
      for (std::uint64_t row = first; row <= last; ++row)
        for (std::size_t part = chunk * kChunk; part < (chunk + 1) * kChunk; ++part) {
          const std::uint64_t at = row * width + part * kPlaces;
          if (at + kPlaces <= begin || at >= end) continue;
          const std::uint32_t* const words = roundOf(parts_[part], row / kRows);
          const std::uint16_t* const places = order().words[row % kRows];
          for (std::size_t place = 0; place < kPlaces; ++place)
            if (at + place >= begin && at + place < end) out[at + place - begin] = of(words[places[place]]);
        }
    });
    position_ = end;
  }

  // Makes the states of so many parts.
  void need(std::size_t wanted) {
    const std::size_t made = parts_.size();  // whole chunks
    if (wanted <= made) return;
    const std::size_t chunks = (wanted - made + kChunk - 1) / kChunk;
    std::vector<TwisterState> begins;
    for (std::size_t i = 0; i < chunks; ++i) {
      begins.push_back(next_);
      toNextChunk().apply(next_);
    }
    parts_.resize(made + chunks * kChunk);
    toNextPart();
    libs::shareOut(chunks, [&](std::size_t chunk) {
      TwisterState state = begins[chunk];
      for (std::size_t i = 0; i < kChunk; ++i) {
        if (i > 0) toNextPart().apply(state);
        parts_[made + chunk * kChunk + i].state = state;
      }
    });
  }

  static const std::uint32_t* roundOf(Part& part, std::uint64_t round) {
    while (part.rounds <= round) {
      twist(part.state);
      if (++part.rounds > round) temper(part.state.data(), part.words);
    }
    return part.words;
  }

  std::vector<Part> parts_;
  TwisterState next_;  // of the first part that is not made
  std::uint64_t position_ = 0;
};

}  // namespace

std::shared_ptr<Engine> twister(std::uint64_t seed) { return std::make_shared<Twister>(seed); }

}  // namespace musashim::rand
