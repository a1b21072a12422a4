#include "mrg_lanes.h"

#include <crt/random_mrg32k3a.h>

#include "processors.h"

namespace musashim::rand {
namespace {

// x modulo 2^32 - c, for c below 2^15 and x below 2^53: what is above 2^32 comes back times c.
template <std::uint64_t c>
std::uint64_t reduced(std::uint64_t x) {
  constexpr std::uint64_t m = (std::uint64_t{1} << 32) - c;
  x = (x & 0xffffffffu) + (x >> 32) * c;
  x = (x & 0xffffffffu) + (x >> 32) * c;
  return x >= m ? x - m : x;
}

MUSASHIM_RAND_LEVELS void step(std::uint32_t* __restrict numbers, std::uint32_t* const* s,
                               std::size_t count) {
  constexpr std::uint64_t c1 = 209, c2 = 22853, m1 = MUSASHIM_MRG_M1, m2 = MUSASHIM_MRG_M2;
  std::uint32_t* __restrict a0 = s[0], * __restrict a1 = s[1], * __restrict a2 = s[2];
  std::uint32_t* __restrict b0 = s[3], * __restrict b1 = s[4], * __restrict b2 = s[5];
  for (std::size_t i = 0; i < count; ++i) {
    // a x - b y as a x + b (m - y): all terms are positive.
    const std::uint64_t p1 = reduced<c1>(1403580ull * a1[i] + 810728ull * (m1 - a0[i]));
    const std::uint64_t p2 = reduced<c2>(527612ull * b2[i] + 1370589ull * (m2 - b0[i]));
    a0[i] = a1[i];
    a1[i] = a2[i];
    a2[i] = std::uint32_t(p1);
    b0[i] = b1[i];
    b1[i] = b2[i];
    b2[i] = std::uint32_t(p2);
    numbers[i] = std::uint32_t(p1 > p2 ? p1 - p2 : p1 + m1 - p2);
  }
}

}  // namespace

MrgLanes::MrgLanes(std::uint64_t seed, std::size_t lanes) {
  for (auto& s : s_) s.resize(lanes);
  murandStateMRG32k3a_t state;
  murand_init(seed, 0, 0, &state);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (lane > 0) skipahead_subsequence(1, &state);
    for (int i = 0; i < 3; ++i) {
      s_[i][lane] = state.s1[i];
      s_[3 + i][lane] = state.s2[i];
    }
  }
}

void MrgLanes::next(std::uint32_t* numbers, std::size_t first, std::size_t count) {
  std::uint32_t* s[6];
  for (int i = 0; i < 6; ++i) s[i] = s_[i].data() + first;
  step(numbers, s, count);
}

void MrgLanes::skip(std::uint64_t numbers, std::size_t first, std::size_t count) {
  for (std::size_t lane = first; lane < first + count && numbers != 0; ++lane) {
    murandStateMRG32k3a_t state{};
    for (int i = 0; i < 3; ++i) {
      state.s1[i] = s_[i][lane];
      state.s2[i] = s_[3 + i][lane];
    }
    skipahead(numbers, &state);
    for (int i = 0; i < 3; ++i) {
      s_[i][lane] = state.s1[i];
      s_[3 + i][lane] = state.s2[i];
    }
  }
}

}  // namespace musashim::rand
