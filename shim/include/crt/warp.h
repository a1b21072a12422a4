/* Warp votes, shuffles, matches and reductions.
 *
 * Masks have 32 bits, as in the vendor's headers; on a device with 128 lanes a mask
 * stands for each group of 32 lanes alike (abi/musa_device_abi.h).
 */
#ifndef MUSASHIM_CRT_WARP_H
#define MUSASHIM_CRT_WARP_H

#include "builtin_variables.h"
#include "device_runtime.h"

MUSASHIM_D unsigned int __activemask() { return __musa_activemask(); }
MUSASHIM_D unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return __musa_ballot(mask, predicate);
}
MUSASHIM_D int __all_sync(unsigned int mask, int predicate) { return __musa_all(mask, predicate); }
MUSASHIM_D int __any_sync(unsigned int mask, int predicate) { return __musa_any(mask, predicate); }

/* The runtime moves 64 raw bits per lane. */
template <typename T>
MUSASHIM_D uint64_t __musa_to_lane_bits(T value) {
  static_assert(sizeof(T) <= sizeof(uint64_t), "a lane exchanges at most 8 bytes at a time");
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <typename T>
MUSASHIM_D T __musa_from_lane_bits(uint64_t bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

/* Distances count within a warp: hardware looks at their low bits (PTX ISA, shfl: b[4:0]). */
MUSASHIM_D unsigned int __musa_lane_distance(unsigned int distance) {
  return __builtin_constant_p(distance) && distance < 32u ? distance : distance & unsigned(warpSize - 1);
}

/* Also used by musa_fp16.h and musa_bf16.h for their types. */
#define MUSASHIM_SHUFFLES(T)                                                                                 \
  MUSASHIM_D T __shfl_sync(unsigned int mask, T value, int lane, int width = warpSize) {                     \
    return __musa_from_lane_bits<T>(__musa_shfl_idx(mask, __musa_to_lane_bits(value), lane, width));         \
  }                                                                                                          \
  MUSASHIM_D T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = warpSize) {        \
    return __musa_from_lane_bits<T>(                                                                         \
        __musa_shfl_up(mask, __musa_to_lane_bits(value), __musa_lane_distance(delta), width));               \
  }                                                                                                          \
  MUSASHIM_D T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = warpSize) {      \
    return __musa_from_lane_bits<T>(                                                                         \
        __musa_shfl_down(mask, __musa_to_lane_bits(value), __musa_lane_distance(delta), width));             \
  }                                                                                                          \
  MUSASHIM_D T __shfl_xor_sync(unsigned int mask, T value, int lane_mask, int width = warpSize) {            \
    return __musa_from_lane_bits<T>(__musa_shfl_xor(mask, __musa_to_lane_bits(value),                        \
                                                    int(__musa_lane_distance(unsigned(lane_mask))), width)); \
  }                                                                                                          \
  static_assert(true, "takes the semicolon")

#define MUSASHIM_MATCHES(T)                                                              \
  MUSASHIM_D unsigned int __match_any_sync(unsigned int mask, T value) {                 \
    return __musa_match_any(mask, __musa_to_lane_bits(value));                           \
  }                                                                                      \
  MUSASHIM_D unsigned int __match_all_sync(unsigned int mask, T value, int* predicate) { \
    return __musa_match_all(mask, __musa_to_lane_bits(value), predicate);                \
  }                                                                                      \
  static_assert(true, "takes the semicolon")

MUSASHIM_SHUFFLES(int);
MUSASHIM_SHUFFLES(unsigned int);
MUSASHIM_SHUFFLES(long);
MUSASHIM_SHUFFLES(unsigned long);
MUSASHIM_SHUFFLES(long long);
MUSASHIM_SHUFFLES(unsigned long long);
MUSASHIM_SHUFFLES(float);
MUSASHIM_SHUFFLES(double);

MUSASHIM_MATCHES(int);
MUSASHIM_MATCHES(unsigned int);
MUSASHIM_MATCHES(long);
MUSASHIM_MATCHES(unsigned long);
MUSASHIM_MATCHES(long long);
MUSASHIM_MATCHES(unsigned long long);
MUSASHIM_MATCHES(float);
MUSASHIM_MATCHES(double);
#undef MUSASHIM_MATCHES

/* Combines the values of the lanes in `members`, block by block of 2, 4, ... 32 lanes; every one of them gets
 * the result. For operators by which order does not matter. `read` gives the value that a lane passes in; all
 * members call it, and no more often than there are others. */
template <typename T, typename Combine, typename Read>
MUSASHIM_D T __musa_combine_members(unsigned int members, T value, Combine combine, Read read) {
  const unsigned int lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32u;
  unsigned int blocks = members; /* a bit, of the first lane, for each that has members */
  for (unsigned int width = 1; width < 32u; width *= 2) {
    const unsigned int starts = unsigned(0xffffffffull / ((1ull << 2 * width) - 1));
    const bool meet = (blocks & blocks >> width & starts) != 0u;
    blocks = (blocks | blocks >> width) & starts;
    if (!meet) continue;
    const unsigned int others = members & ((1u << width) - 1u) << ((lane ^ width) & ~(width - 1u));
    const T other = read(value, others != 0u ? unsigned(__builtin_ctz(others)) : lane);
    if (others != 0u) value = combine(value, other);
  }
  return value;
}

/* Combines the values of the mask's lanes; every one of them gets the result. Lanes that
 * do not exist or have ended take no part. */
template <typename T, typename Combine>
MUSASHIM_D T __musa_reduce_lanes(unsigned int mask, T value, Combine combine) {
  const unsigned int present = __ballot_sync(mask, 1);
  if (present == 0xffffffffu) {
    for (int distance = 16; distance > 0; distance /= 2) {
      value = combine(value, __shfl_xor_sync(mask, value, distance, 32));
    }
    return value;
  }
  return __musa_combine_members(present, value, combine, [mask] __device__(T own, unsigned int lane) -> T {
    return __shfl_sync(mask, own, int(lane), 32);
  });
}

#define MUSASHIM_REDUCTION(name, T, expression)                                                   \
  MUSASHIM_D T name(unsigned int mask, T value) {                                                 \
    return __musa_reduce_lanes(mask, value, [] __device__(T a, T b) -> T { return expression; }); \
  }                                                                                               \
  static_assert(true, "takes the semicolon")

MUSASHIM_REDUCTION(__reduce_add_sync, unsigned int, a + b);
MUSASHIM_REDUCTION(__reduce_min_sync, unsigned int, a < b ? a : b);
MUSASHIM_REDUCTION(__reduce_max_sync, unsigned int, a < b ? b : a);
MUSASHIM_REDUCTION(__reduce_and_sync, unsigned int, a& b);
MUSASHIM_REDUCTION(__reduce_or_sync, unsigned int, a | b);
MUSASHIM_REDUCTION(__reduce_xor_sync, unsigned int, a ^ b);
/* Sums wrap. */
MUSASHIM_REDUCTION(__reduce_add_sync, int, int(unsigned(a) + unsigned(b)));
MUSASHIM_REDUCTION(__reduce_min_sync, int, a < b ? a : b);
MUSASHIM_REDUCTION(__reduce_max_sync, int, a < b ? b : a);
#undef MUSASHIM_REDUCTION

#endif
