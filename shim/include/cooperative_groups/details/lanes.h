/* What groups of lanes are made of. Lanes are counted within their group of 32, the
 * range of a mask. */
#ifndef MUSASHIM_COOPERATIVE_GROUPS_LANES_H
#define MUSASHIM_COOPERATIVE_GROUPS_LANES_H

#include <crt/musa_device.h> /* programs copy these headers beside their own, but not those */

namespace cooperative_groups {
namespace details {

MUSASHIM_D unsigned int blockThreads() { return blockDim.x * blockDim.y * blockDim.z; }
MUSASHIM_D unsigned int blockThreadRank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
MUSASHIM_D unsigned int lane() { return blockThreadRank() % 32u; }

/* Lanes [first, first + count) as a mask; 0 < count <= 32. */
MUSASHIM_D unsigned int laneRange(unsigned int first, unsigned int count) {
  return (count == 32u ? ~0u : (1u << count) - 1u) << first;
}
/* The lane of the member with this rank. */
MUSASHIM_D unsigned int nthLane(unsigned int mask, unsigned int rank) {
  for (; rank != 0u; --rank) mask &= mask - 1u;
  return unsigned(__ffs(int(mask))) - 1u;
}
/* Moves the bits of `values` that belong to members together: bit i is rank i's. */
MUSASHIM_D unsigned int packByRank(unsigned int values, unsigned int mask) {
  unsigned int packed = 0;
  for (unsigned int rank = 0; mask != 0u; mask &= mask - 1u, ++rank) {
    if (values & mask & (0u - mask)) packed |= 1u << rank;
  }
  return packed;
}

/* What `move` gives for the value's bits; any trivially copyable type, eight bytes at a
 * time. Every lane that takes part calls. */
template <typename T, typename Move>
MUSASHIM_D T exchange(const T& value, Move move) {
  static_assert(__is_trivially_copyable(T), "lanes exchange trivially copyable values");
  T result;
  char* const to = reinterpret_cast<char*>(&result);
  const char* const from = reinterpret_cast<const char*>(&value);
  for (size_t offset = 0; offset < sizeof(T); offset += 8) {
    const size_t bytes = sizeof(T) - offset < 8 ? sizeof(T) - offset : 8;
    uint64_t bits = 0;
    __builtin_memcpy(&bits, from + offset, bytes);
    bits = move(bits);
    __builtin_memcpy(to + offset, &bits, bytes);
  }
  return result;
}

/* The value that lane `source` of the mask passes in. */
template <typename T>
MUSASHIM_D T fromLane(unsigned int mask, const T& value, unsigned int source) {
  return exchange(value, [=](uint64_t bits) { return __musa_shfl_idx(mask, bits, int32_t(source), 32); });
}

}  // namespace details
}  // namespace cooperative_groups

#endif
