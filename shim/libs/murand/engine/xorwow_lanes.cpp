#include "xorwow_lanes.h"

#include <crt/random_xorwow.h>

#include "processors.h"

namespace musashim::rand {
namespace {
// Between the seeds of neighbours, as recorded.
constexpr std::uint64_t kSeedStep = 3133713;

MUSASHIM_RAND_LEVELS void step(std::uint32_t* __restrict words, std::uint32_t* __restrict d,
                               std::uint32_t* const* v, std::size_t count) {
  std::uint32_t* __restrict v0 = v[0], * __restrict v1 = v[1], * __restrict v2 = v[2], * __restrict v3 = v[3], * __restrict v4 = v[4];
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t t = v0[i] ^ (v0[i] >> 2);
    v0[i] = v1[i];
    v1[i] = v2[i];
    v2[i] = v3[i];
    v3[i] = v4[i];
    v4[i] = (v4[i] ^ (v4[i] << 4)) ^ (t ^ (t << 1));
    d[i] += 362437u;
    words[i] = v4[i] + d[i];
  }
}

}  // namespace

XorwowLanes::XorwowLanes(std::uint64_t seed, bool seeded) : d_(kLanes) {
  for (auto& v : v_) v.resize(kLanes);
  murandStateXORWOW_t state;
  murand_init(seed, 0, 0, &state);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (lane > 0 && seeded) murand_init(seed + lane * kSeedStep, 0, 0, &state);
    if (lane > 0 && !seeded) skipahead_sequence(1, &state);
    d_[lane] = state.d;
    for (int i = 0; i < 5; ++i) v_[i][lane] = state.v[i];
  }
}

void XorwowLanes::next(std::uint32_t* words, std::size_t first, std::size_t count) {
  std::uint32_t* v[5];
  for (int i = 0; i < 5; ++i) v[i] = v_[i].data() + first;
  step(words, d_.data() + first, v, count);
}

void XorwowLanes::skip(std::uint64_t words, std::size_t first, std::size_t count) {
  for (std::size_t lane = first; lane < first + count && words != 0; ++lane) {
    murandStateXORWOW_t state{};
    state.d = d_[lane];
    for (int i = 0; i < 5; ++i) state.v[i] = v_[i][lane];
    skipahead(words, &state);
    d_[lane] = state.d;
    for (int i = 0; i < 5; ++i) v_[i][lane] = state.v[i];
  }
}

}  // namespace musashim::rand
