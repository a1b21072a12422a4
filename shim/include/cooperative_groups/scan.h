/* cooperative_groups::inclusive_scan and exclusive_scan, over tiles and coalesced
 * threads, in the order of ranks. */
#ifndef MUSASHIM_COOPERATIVE_GROUPS_SCAN_H
#define MUSASHIM_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#if defined(__MUSACC__)

namespace cooperative_groups {

template <typename Group, typename T, typename Operator>
MUSASHIM_D T inclusive_scan(const Group& group, T value, Operator op) {
  const unsigned int rank = unsigned(group.thread_rank()), size = unsigned(group.size());
  for (unsigned int distance = 1; distance < size; distance *= 2) {
    const T before = group.shfl_up(value, distance);
    if (rank >= distance) value = op(before, value);
  }
  return value;
}
template <typename Group, typename T>
MUSASHIM_D T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/* The first member gets a value-initialised T, as the identity of a sum. */
template <typename Group, typename T, typename Operator>
MUSASHIM_D T exclusive_scan(const Group& group, T value, Operator op) {
  const T before = group.shfl_up(inclusive_scan(group, value, op), 1u);
  return group.thread_rank() == 0 ? T() : before;
}
template <typename Group, typename T>
MUSASHIM_D T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#endif
#endif
