#include "cpu/devrt/metrics/lane_loops.h"

#include <immintrin.h>

#include <algorithm>

namespace musashim::devrt::metrics {
namespace {

uint32_t presentPlain(const uint64_t* slots) {
  uint32_t present = 0;
  for (size_t lane = 0; lane < kLanesTogether; ++lane) present |= (slots[lane] != 0 ? 1u : 0u) << lane;
  return present;
}

bool differPlain(const uint64_t* slots, uint64_t first, const uint64_t* distances, uint32_t present) {
  uint64_t different = 0;
  for (size_t lane = 0; lane < kLanesTogether; ++lane)
    different |= (slots[lane] - first ^ distances[lane]) & -uint64_t{present >> lane & 1};
  return different != 0;
}

LaneRounds roundsPlain(const uint64_t* slots) {
  LaneRounds rounds;
  for (size_t lane = 0; lane < kLanesTogether; ++lane) {
    rounds.sum += slots[lane];
    rounds.most = std::max(rounds.most, slots[lane]);
  }
  return rounds;
}

#define MUSASHIM_WIDE [[gnu::target("avx512f")]]

struct Wide {
  __m512i parts[4];
};

MUSASHIM_WIDE inline Wide loadWide(const uint64_t* slots) {
  return {{_mm512_loadu_si512(slots), _mm512_loadu_si512(slots + 8), _mm512_loadu_si512(slots + 16),
           _mm512_loadu_si512(slots + 24)}};
}

MUSASHIM_WIDE inline __m512i anyWide(const Wide& of) {
  return _mm512_or_si512(_mm512_or_si512(of.parts[0], of.parts[1]),
                         _mm512_or_si512(of.parts[2], of.parts[3]));
}

// None is frequent, where few warps come by.
MUSASHIM_WIDE uint32_t presentWide(const uint64_t* slots) {
  const Wide of = loadWide(slots);
  const __m512i any = anyWide(of);
  if (_mm512_test_epi64_mask(any, any) == 0) return 0;
  uint32_t present = 0;
  for (int i = 0; i < 4; ++i) present |= uint32_t{_mm512_test_epi64_mask(of.parts[i], of.parts[i])} << 8 * i;
  return present;
}

MUSASHIM_WIDE bool differWide(const uint64_t* slots, uint64_t first, const uint64_t* distances,
                              uint32_t present) {
  const __m512i start = _mm512_set1_epi64(static_cast<long long>(first));
  uint32_t different = 0;
  for (size_t lane = 0; lane < kLanesTogether; lane += 8) {
    const __m512i apart = _mm512_sub_epi64(_mm512_loadu_si512(slots + lane), start);
    different |= uint32_t{_mm512_mask_cmpneq_epi64_mask(static_cast<__mmask8>(present >> lane), apart,
                                                        _mm512_loadu_si512(distances + lane))};
  }
  return different != 0;
}

// All the same is frequent.
MUSASHIM_WIDE LaneRounds roundsWide(const uint64_t* slots) {
  const Wide of = loadWide(slots);
  const __m512i first = _mm512_set1_epi64(static_cast<long long>(slots[0]));
  Wide apart = of;
  for (__m512i& part : apart.parts) part = _mm512_xor_si512(part, first);
  const __m512i any = anyWide(apart);
  if (_mm512_test_epi64_mask(any, any) == 0) return {kLanesTogether * slots[0], slots[0]};
  __m512i sum = _mm512_setzero_si512(), most = sum;
  for (const __m512i& part : of.parts) {
    sum = _mm512_add_epi64(sum, part);
    most = _mm512_max_epu64(most, part);
  }
  return {static_cast<uint64_t>(_mm512_reduce_add_epi64(sum)), _mm512_reduce_max_epu64(most)};
}

#undef MUSASHIM_WIDE

}  // namespace

const LaneLoops laneLoops = __builtin_cpu_supports("avx512f")
                                ? LaneLoops{presentWide, differWide, roundsWide}
                                : LaneLoops{presentPlain, differPlain, roundsPlain};

}  // namespace musashim::devrt::metrics
