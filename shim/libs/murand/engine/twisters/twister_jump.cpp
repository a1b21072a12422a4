#include "twister_jump.h"

#include <algorithm>
#include <bit>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "libs/murand/engine/processors.h"

namespace musashim::rand {
namespace {

constexpr std::size_t kDegree = kTwisterBits, kLimbs = kDegree / 64 + 1;
using Polynomial = std::array<std::uint64_t, kLimbs>;   // over two elements, below the degree (or with it)
using Product = std::array<std::uint64_t, 2 * kLimbs>;  // before it is reduced

std::uint32_t twisted(std::uint32_t high, std::uint32_t low, std::uint32_t far) {
  const std::uint32_t y = (high & 0x80000000u) | (low & 0x7fffffffu);
  return far ^ (y >> 1) ^ (0u - (low & 1u) & 0x9908b0dfu);
}

template <class Limbs>
bool bitOf(const Limbs& x, std::size_t i) {
  return (x[i / 64] >> (i % 64) & 1) != 0;
}
template <class Limbs>
void flip(Limbs& x, std::size_t i) {
  x[i / 64] ^= std::uint64_t{1} << (i % 64);
}

// x += y t^shift.
template <class Limbs>
void addShifted(Limbs& x, const Polynomial& y, std::size_t shift) {
  const std::size_t limbs = shift / 64, bits = shift % 64;
  for (std::size_t i = 0; i < kLimbs && i + limbs < x.size(); ++i) {
    x[i + limbs] ^= y[i] << bits;
    if (bits != 0 && i + limbs + 1 < x.size()) x[i + limbs + 1] ^= y[i] >> (64 - bits);
  }
}

// The polynomial that the generator's bits obey, by Berlekamp and Massey's algorithm, from its highest bit.
Polynomial characteristic() {
  TwisterState state;
  for (std::size_t i = 0; i < kTwisterWords; ++i) state[i] = std::uint32_t(i * 2654435761u + 1);
  Polynomial current{1}, former{1}, window{};  // window: the bits so far, the last first
  std::size_t length = 0, since = 1;
  for (std::size_t n = 0; n < 2 * kDegree; ++n) {
    if (n % kTwisterWords == 0) twist(state);
    std::uint64_t carry = state[n % kTwisterWords] >> 31;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const std::uint64_t next = window[i] >> 63;
      window[i] = window[i] << 1 | carry;
      carry = next;
      sum ^= window[i] & current[i];
    }
    if (std::popcount(sum) % 2 == 0) {
      ++since;
    } else if (2 * length <= n) {
      const Polynomial kept = current;
      addShifted(current, former, since);
      length = n + 1 - length;
      former = kept;
      since = 1;
    } else {
      addShifted(current, former, since);
      ++since;
    }
  }
  Polynomial reversed{};
  for (std::size_t i = 0; i <= kDegree; ++i)
    if (bitOf(current, i)) flip(reversed, kDegree - i);
  return reversed;
}

// The places of its bits but the highest: it has few.
const std::vector<std::size_t>& lowerPlaces() {
  static const std::vector<std::size_t>& places = *new std::vector<std::size_t>([] {
    const Polynomial whole = characteristic();
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < kDegree; ++i)
      if (bitOf(whole, i)) found.push_back(i);
    return found;
  }());
  return places;
}

// Limb by limb: the second highest place is more than a limb below the highest.
Polynomial reduced(Product& x) {
  const auto& places = lowerPlaces();
  const auto fold = [&](std::size_t at, std::uint64_t bits) {  // bits t^at, which are 0 from here on
    for (const std::size_t place : places) {
      const std::size_t to = at - kDegree + place, shift = to % 64;
      x[to / 64] ^= bits << shift;
      if (shift != 0) x[to / 64 + 1] ^= bits >> (64 - shift);
    }
  };
  constexpr std::size_t border = kDegree / 64;
  for (std::size_t limb = x.size(); limb-- > border + 1;) {
    const std::uint64_t bits = x[limb];
    x[limb] = 0;
    if (bits != 0) fold(limb * 64, bits);
  }
  const std::uint64_t rest = x[border] >> (kDegree % 64);
  x[border] ^= rest << (kDegree % 64);
  if (rest != 0) fold(kDegree, rest);
  Polynomial result;
  std::copy_n(x.begin(), kLimbs, result.begin());
  return result;
}

Polynomial squared(const Polynomial& x) {
  Product wide{};
  for (std::size_t i = 0; i < kLimbs; ++i)
    for (std::uint64_t bits = x[i]; bits != 0; bits &= bits - 1)
      flip(wide, 2 * (64 * i + std::size_t(std::countr_zero(bits))));
  return reduced(wide);
}

Polynomial multiplied(const Polynomial& x, const Polynomial& y) {
  Product wide{};
  for (std::size_t i = 0; i < kDegree; ++i)
    if (bitOf(x, i)) addShifted(wide, y, i);
  return reduced(wide);
}

// sum = the sum of the runs of 624 words that begin at the places.
MUSASHIM_RAND_LEVELS void addRuns(const std::uint32_t* words, const std::uint16_t* places, std::size_t count,
                                  std::uint32_t* sum) {
  constexpr std::size_t tile = 48;  // words that stay in registers
  static_assert(kTwisterWords % tile == 0);
  for (std::size_t first = 0; first < kTwisterWords; first += tile) {
    std::uint32_t part[tile] = {};
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t* const from = words + places[i] + first;
      for (std::size_t k = 0; k < tile; ++k) part[k] ^= from[k];
    }
    std::copy_n(part, tile, sum + first);
  }
}

#if defined(__x86_64__)
// The same by products without carries: each of the words' 32 bits is a polynomial, and the sum's are the
// middle of its product with the reversed places. Some six times as fast.
__attribute__((target("pclmul,avx2"))) void multiplyRuns(const std::uint32_t* words,
                                                         const std::uint64_t* reversed, std::uint32_t* sum) {
  constexpr std::size_t kFirst = kLimbs - 2, kParts = 12, kSlice = kFirst + kParts, kPad = 2;
  std::vector<std::uint64_t> slices(32 * (kPad + kSlice));
  for (std::size_t limb = 0; limb < kSlice; ++limb)
    for (std::size_t group = 0; group < 8; ++group) {
      const auto* const from = reinterpret_cast<const __m256i*>(words + 64 * limb + 8 * group);
      __m256i bits = _mm256_loadu_si256(from);
      for (std::size_t bit = 32; bit-- > 0; bits = _mm256_add_epi32(bits, bits)) {
        const auto mask = std::uint64_t(std::uint32_t(_mm256_movemask_ps(_mm256_castsi256_ps(bits))));
        slices[bit * (kPad + kSlice) + kPad + limb] |= mask << (8 * group);
      }
    }
  std::fill_n(sum, kTwisterWords, 0u);
  for (std::size_t bit = 0; bit < 32; ++bit) {
    const std::uint64_t* const slice = slices.data() + bit * (kPad + kSlice) + kPad;
    __m128i parts[kParts];
    for (auto& part : parts) part = _mm_setzero_si128();
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const __m128i factor = _mm_cvtsi64_si128(static_cast<long long>(reversed[i]));
      const std::uint64_t* const other = slice + kFirst - i;  // kPad zeros before it
      for (std::size_t k = 0; k < kParts; ++k) {
        const __m128i limb = _mm_cvtsi64_si128(static_cast<long long>(other[k]));
        parts[k] = _mm_xor_si128(parts[k], _mm_clmulepi64_si128(factor, limb, 0));
      }
    }
    std::uint64_t limbs[kParts - 1];  // from limb kLimbs - 1 on, whose highest bit is word 0's
    for (std::size_t k = 1; k < kParts; ++k)
      limbs[k - 1] = static_cast<std::uint64_t>(_mm_cvtsi128_si64(parts[k])) ^
                     static_cast<std::uint64_t>(_mm_extract_epi64(parts[k - 1], 1));
    for (std::size_t j = 0; j < kTwisterWords; ++j)
      sum[j] |= std::uint32_t(limbs[(j + 63) / 64] >> ((j + 63) % 64) & 1) << bit;
  }
}

bool canMultiplyRuns() {
  static const bool can = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("avx2");
  return can;
}
#endif

}  // namespace

void twist(TwisterState& state) {
  constexpr std::size_t n = kTwisterWords, m = kTwisterShift;
  for (std::size_t i = 0; i < n - m; ++i) state[i] = twisted(state[i], state[i + 1], state[i + m]);
  for (std::size_t i = n - m; i < n - 1; ++i) state[i] = twisted(state[i], state[i + 1], state[i + m - n]);
  state[n - 1] = twisted(state[n - 1], state[0], state[m - 1]);
}

TwisterJump::TwisterJump(unsigned exponent, unsigned times) {
  Polynomial once{2}, all{1};  // one step; none
  for (unsigned i = 0; i < exponent; ++i) once = squared(once);
  for (; times != 0; times /= 2) {
    if (times % 2 != 0) all = multiplied(all, once);
    once = squared(once);
  }
  reversed_.resize(kLimbs);
  for (std::size_t i = 0; i < kDegree; ++i)
    if (bitOf(all, i)) {
      places_.push_back(std::uint16_t(i));
      flip(reversed_, 64 * kLimbs - 1 - i);
    }
}

void TwisterJump::apply(TwisterState& state) const {
  constexpr std::size_t blocks = (kTwisterBits + kTwisterWords) / kTwisterWords + 1;
  std::vector<std::uint32_t> words;
  words.reserve(blocks * kTwisterWords);
  for (std::size_t i = 0; i < blocks; ++i) {
    words.insert(words.end(), state.begin(), state.end());
    twist(state);
  }
#if defined(__x86_64__)
  if (canMultiplyRuns()) return multiplyRuns(words.data(), reversed_.data(), state.data());
#endif
  addRuns(words.data(), places_.data(), places_.size(), state.data());
}

}  // namespace musashim::rand
