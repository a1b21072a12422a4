#include "philox.h"

#include <algorithm>
#include <cstring>

#include "conversions.h"
#include "libs/core/share.h"
#include "processors.h"
#include "stream_out.h"

namespace musashim::rand {
namespace {

constexpr std::size_t kAtOnce = 64;

// The words of neighbouring lanes, each word in a row of its own.
struct Words {
  std::uint32_t x[kAtOnce], y[kAtOnce], z[kAtOnce], w[kAtOnce];
};

// Of lanes from `lane` on, at their counters plus `ahead`.
MUSASHIM_RAND_LEVELS void encipher(const std::uint32_t* key, const std::uint64_t* __restrict counters,
                                   std::uint64_t ahead, std::size_t lane, std::size_t count,
                                   Words& __restrict out) {
  // Words in the lower halves of 64 bits: products take them as they are, whatever is above them.
  constexpr std::uint64_t word = 0xffffffffu;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t counter = counters[i] + ahead;
    std::uint64_t x = counter, y = counter >> 32, z = lane + i, w = 0;
    std::uint32_t k0 = key[0], k1 = key[1];
#pragma clang loop unroll(full)
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t p = 0xd2511f53ull * (x & word), q = 0xcd9e8d57ull * (z & word);
      x = q >> 32 ^ y ^ k0;
      y = q;
      z = p >> 32 ^ w ^ k1;
      w = p;
      k0 += 0x9e3779b9u;
      k1 += 0xbb67ae85u;
    }
    out.x[i] = std::uint32_t(x);
    out.y[i] = std::uint32_t(y);
    out.z[i] = std::uint32_t(z);
    out.w[i] = std::uint32_t(w);
  }
}

MUSASHIM_RAND_LEVELS void interleave(const Words& __restrict words, std::size_t count,
                                     std::uint32_t* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[4 * i] = words.x[i];
    out[4 * i + 1] = words.y[i];
    out[4 * i + 2] = words.z[i];
    out[4 * i + 3] = words.w[i];
  }
}

MUSASHIM_RAND_LEVELS void interleave(const Words& __restrict words, std::size_t count,
                                     float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[4 * i] = unitOf(words.x[i]);
    out[4 * i + 1] = unitOf(words.y[i]);
    out[4 * i + 2] = unitOf(words.z[i]);
    out[4 * i + 3] = unitOf(words.w[i]);
  }
}

struct Cipher {
  std::uint32_t key[2];

  void words(const std::uint64_t* counters, std::uint64_t ahead, std::size_t lane, std::size_t count,
             Words& out) const {
    encipher(key, counters, ahead, lane, count, out);
  }
};

// Four numbers a lane, of one set of words.
template <class T>
struct EachWord {
  using Output = T;
  static constexpr std::uint64_t kSteps = 1;
  void make(const Cipher& cipher, const std::uint64_t* counters, std::size_t lane, std::size_t count,
            T* out) const {
    Words words;
    cipher.words(counters, 0, lane, count, words);
    interleave(words, count, out);
  }
};

struct Bars {
  using Output = std::uint32_t;
  static constexpr std::uint64_t kSteps = 1;
  HistogramItem item;
  void make(const Cipher& cipher, const std::uint64_t* counters, std::size_t lane, std::size_t count,
            std::uint32_t* out) const {
    EachWord<std::uint32_t>{}.make(cipher, counters, lane, count, out);
    for (std::size_t i = 0; i < 4 * count; ++i) out[i] = item.of(out[i]);
  }
};

struct Normals {
  using Output = float;
  static constexpr std::uint64_t kSteps = 1;
  Shape shape;
  void make(const Cipher& cipher, const std::uint64_t* counters, std::size_t lane, std::size_t count,
            float* out) const {
    Words words;
    cipher.words(counters, 0, lane, count, words);
    if (shape.onDevice) {
      makeNormals(words.x, words.y, count, 4, out);
      makeNormals(words.z, words.w, count, 4, out + 2);
      return shapeOnDevice(shape, 4 * count, out);
    }
    for (std::size_t i = 0; i < count; ++i) {
      boxMuller(words.x[i], words.y[i], out + 4 * i);
      boxMuller(words.z[i], words.w[i], out + 4 * i + 2);
    }
    for (std::size_t i = 0; i < 4 * count; ++i) out[i] = shape.of(out[i]);
  }
};

// Four doubles take two sets of words.
struct Doubles {
  using Output = double;
  static constexpr std::uint64_t kSteps = 2;
  void make(const Cipher& cipher, const std::uint64_t* counters, std::size_t lane, std::size_t count,
            double* out) const {
    Words words;
    for (std::uint64_t half = 0; half < 2; ++half) {
      cipher.words(counters, half, lane, count, words);
      for (std::size_t i = 0; i < count; ++i) {
        out[4 * i + 2 * half] = unitOf(words.x[i], words.y[i]);
        out[4 * i + 2 * half + 1] = unitOf(words.z[i], words.w[i]);
      }
    }
  }
};

struct NormalDoubles {
  using Output = double;
  static constexpr std::uint64_t kSteps = 2;
  Shape shape;
  void make(const Cipher& cipher, const std::uint64_t* counters, std::size_t lane, std::size_t count,
            double* out) const {
    Doubles{}.make(cipher, counters, lane, count, out);
    if (shape.onDevice) {
      makeNormalsOfUnits(2 * count, out);
      return shapeOnDevice(shape, 4 * count, out);
    }
    for (std::size_t i = 0; i < 4 * count; i += 2) {
      boxMuller(out[i], out[i + 1], out + i);
      out[i] = shape.of(out[i]);
      out[i + 1] = shape.of(out[i + 1]);
    }
  }
};

struct Gauss {
  using Output = std::uint32_t;
  static constexpr std::uint64_t kSteps = 1;
  GaussItem item;
  void make(const Cipher& cipher, const std::uint64_t* counters, std::size_t lane, std::size_t count,
            std::uint32_t* out) const {
    float normals[4 * kAtOnce];
    Normals{{.onDevice = item.onDevice}}.make(cipher, counters, lane, count, normals);
    for (std::size_t i = 0; i < 4 * count; ++i) out[i] = item.of(normals[i]);
  }
};

}  // namespace

Philox::Philox(std::uint64_t seed, std::uint64_t offset)
    : key_{std::uint32_t(seed), std::uint32_t(seed >> 32)}, next_(offset % kBlock), counters_(kLanes) {
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    counters_[lane] = offset / kBlock + (lane < next_ / kEach ? 1 : 0);
}

template <class Fours>
void Philox::fillBy(typename Fours::Output* out, std::size_t count, const Fours& fours) {
  if (count == 0) return;
  const std::size_t start = next_, stop = start + count, blocks = (stop + kBlock - 1) / kBlock;
  const Cipher cipher{{key_[0], key_[1]}};
  const bool pastCaches = count * sizeof *out >= kPastCaches &&
                          reinterpret_cast<std::uintptr_t>(out) % 16 == 0 && start % (16 / sizeof *out) == 0;
  auto part = [&](std::size_t first, std::size_t end) {
    for (std::size_t block = 0; block < blocks; ++block) {
      // The call's numbers in these lanes of this block.
      const std::size_t low = std::max(first * kEach, block == 0 ? start : 0);
      const std::size_t high = std::min(end * kEach, block + 1 == blocks ? stop - block * kBlock : kBlock);
      for (std::size_t at = low; at < high;) {
        const std::size_t lane = at / kEach, lanes = std::min(kAtOnce, (high - at) / kEach);
        typename Fours::Output* const target = out + (block * kBlock + at - start);
        if (at % kEach == 0 && lanes > 0) {
          if (pastCaches && lanes == kAtOnce) {
            alignas(64) typename Fours::Output numbers[kAtOnce * kEach];
            fours.make(cipher, &counters_[lane], lane, lanes, numbers);
            streamOut(target, numbers, sizeof numbers);
          } else {
            fours.make(cipher, &counters_[lane], lane, lanes, target);
          }
          for (std::size_t i = 0; i < lanes; ++i) counters_[lane + i] += Fours::kSteps;
          at += lanes * kEach;
        } else {
          typename Fours::Output four[kEach];
          fours.make(cipher, &counters_[lane], lane, 1, four);
          const std::size_t to = std::min(high, (lane + 1) * kEach);
          std::copy(four + at % kEach, four + at % kEach + (to - at), target);
          if (to % kEach == 0) counters_[lane] += Fours::kSteps;
          at = to;
        }
      }
    }
  };
  constexpr std::size_t chunk = 1024, worthSharing = std::size_t{1} << 18;
  if (count < worthSharing)
    part(0, kLanes);
  else
    libs::shareOut(kLanes / chunk, [&](std::size_t i) { part(i * chunk, (i + 1) * chunk); });
  next_ = stop % kBlock;
}

void Philox::fill(std::uint32_t* out, std::size_t count, WordItem) {
  fillBy(out, count, EachWord<std::uint32_t>{});
}
void Philox::fill(float* out, std::size_t count, FloatItem) { fillBy(out, count, EachWord<float>{}); }
void Philox::fill(double* out, std::size_t count, DoubleItem) { fillBy(out, count, Doubles{}); }
void Philox::fill(float* out, std::size_t count, NormalItem item) { fillBy(out, count, Normals{item.shape}); }
void Philox::fill(double* out, std::size_t count, NormalDoubleItem item) {
  fillBy(out, count, NormalDoubles{item.shape});
}
void Philox::fill(std::uint32_t* out, std::size_t count, HistogramItem item) {
  fillBy(out, count, Bars{item});
}
void Philox::fill(std::uint32_t* out, std::size_t count, GaussItem item) { fillBy(out, count, Gauss{item}); }

}  // namespace musashim::rand
