// Loops over the slots of 32 lanes, in plain code and for processors with AVX-512.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace musashim::devrt::metrics {

// Memory serves 32 lanes at a time, whatever the warp's width: no source says otherwise of mp_22.
inline constexpr size_t kLanesTogether = 32;

struct LaneRounds {
  uint64_t sum = 0, most = 0;
};

struct PlainLanes {
  // A bit for each slot that is not 0.
  static uint32_t present(const uint64_t* slots) {
    uint32_t present = 0;
    for (size_t lane = 0; lane < kLanesTogether; ++lane) present |= (slots[lane] != 0 ? 1u : 0u) << lane;
    return present;
  }
  // Whether the lanes of `present` have other distances from `first` than these.
  static bool differ(const uint64_t* slots, uint64_t first, const uint64_t* distances, uint32_t present) {
    uint64_t different = 0;
    for (size_t lane = 0; lane < kLanesTogether; ++lane)
      different |= ((slots[lane] - first) ^ distances[lane]) & -uint64_t{present >> lane & 1};
    return different != 0;
  }
  static LaneRounds rounds(const uint64_t* slots) {
    LaneRounds rounds;
    for (size_t lane = 0; lane < kLanesTogether; ++lane) {
      rounds.sum += slots[lane];
      rounds.most = std::max(rounds.most, slots[lane]);
    }
    return rounds;
  }
  static void clear(uint64_t* slots) { std::fill_n(slots, kLanesTogether, 0); }
};

#define MUSASHIM_WIDE [[gnu::target("avx512f")]] static inline

struct WideLanes {
  // None is frequent, where few warps come by.
  MUSASHIM_WIDE uint32_t present(const uint64_t* slots) {
    const Parts of = load(slots);
    const __m512i any = anyOf(of);
    if (_mm512_test_epi64_mask(any, any) == 0) return 0;
    uint32_t present = 0;
    for (int i = 0; i < 4; ++i)
      present |= uint32_t{_mm512_test_epi64_mask(of.parts[i], of.parts[i])} << 8 * i;
    return present;
  }

  MUSASHIM_WIDE bool differ(const uint64_t* slots, uint64_t first, const uint64_t* distances,
                            uint32_t present) {
    const Parts of = load(slots), known = load(distances);
    const __m512i start = _mm512_set1_epi64(static_cast<long long>(first));
    uint32_t different = 0;
    for (int i = 0; i < 4; ++i) {
      const __m512i apart = _mm512_sub_epi64(of.parts[i], start);
      different |= uint32_t{
          _mm512_mask_cmpneq_epi64_mask(static_cast<__mmask8>(present >> 8 * i), apart, known.parts[i])};
    }
    return different != 0;
  }

  // All the same is frequent.
  MUSASHIM_WIDE LaneRounds rounds(const uint64_t* slots) {
    const Parts of = load(slots);
    const __m512i first = _mm512_set1_epi64(static_cast<long long>(slots[0]));
    Parts apart = of;
    for (__m512i& part : apart.parts) part = _mm512_xor_si512(part, first);
    const __m512i any = anyOf(apart);
    if (_mm512_test_epi64_mask(any, any) == 0) return {kLanesTogether * slots[0], slots[0]};
    __m512i sum = _mm512_setzero_si512(), most = sum;
    for (const __m512i& part : of.parts) {
      sum = _mm512_add_epi64(sum, part);
      most = _mm512_max_epu64(most, part);
    }
    return {static_cast<uint64_t>(_mm512_reduce_add_epi64(sum)), _mm512_reduce_max_epu64(most)};
  }

  MUSASHIM_WIDE void clear(uint64_t* slots) {
    for (size_t lane = 0; lane < kLanesTogether; lane += 8)
      _mm512_storeu_si512(slots + lane, _mm512_setzero_si512());
  }

 private:
  struct Parts {
    __m512i parts[4];
  };
  MUSASHIM_WIDE Parts load(const uint64_t* slots) {
    return {{_mm512_loadu_si512(slots), _mm512_loadu_si512(slots + 8), _mm512_loadu_si512(slots + 16),
             _mm512_loadu_si512(slots + 24)}};
  }
  MUSASHIM_WIDE __m512i anyOf(const Parts& of) {
    return _mm512_or_si512(_mm512_or_si512(of.parts[0], of.parts[1]),
                           _mm512_or_si512(of.parts[2], of.parts[3]));
  }
};

#undef MUSASHIM_WIDE

inline bool hasWideLanes() {
  static const bool has = __builtin_cpu_supports("avx512f");
  return has;
}

}  // namespace musashim::devrt::metrics
