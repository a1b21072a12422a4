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

MUSASHIM_WIDE uint32_t presentWide(const uint64_t* slots) {
  uint32_t present = 0;
  for (size_t lane = 0; lane < kLanesTogether; lane += 8) {
    const __m512i some = _mm512_loadu_si512(slots + lane);
    present |= uint32_t{_mm512_test_epi64_mask(some, some)} << lane;
  }
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

MUSASHIM_WIDE LaneRounds roundsWide(const uint64_t* slots) {
  __m512i sum = _mm512_setzero_si512(), most = sum;
  for (size_t lane = 0; lane < kLanesTogether; lane += 8) {
    const __m512i some = _mm512_loadu_si512(slots + lane);
    sum = _mm512_add_epi64(sum, some);
    most = _mm512_max_epu64(most, some);
  }
  return {static_cast<uint64_t>(_mm512_reduce_add_epi64(sum)), _mm512_reduce_max_epu64(most)};
}

#undef MUSASHIM_WIDE

}  // namespace

const LaneLoops laneLoops = __builtin_cpu_supports("avx512f")
                                ? LaneLoops{presentWide, differWide, roundsWide}
                                : LaneLoops{presentPlain, differPlain, roundsPlain};

}  // namespace musashim::devrt::metrics
