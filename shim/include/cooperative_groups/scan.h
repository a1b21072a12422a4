/* cooperative_groups::inclusive_scan and exclusive_scan, also from an atomic on, over tiles and
 * coalesced threads, in the order of ranks. */
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

/* The group's scan goes on from an atomic (of libcu++'s kind), to which the group's total is added. */
template <typename Group, typename Atomic, typename T, typename Operator>
MUSASHIM_D T inclusive_scan_update(const Group& group, Atomic& atomic, T value, Operator op) {
  const T own = inclusive_scan(group, value, op);
  const unsigned int last = unsigned(group.size()) - 1;
  T before = T();
  if (group.thread_rank() == last) before = details::update(atomic, own, op);
  return op(group.shfl(before, last), own);
}
template <typename Group, typename Atomic, typename T>
MUSASHIM_D T inclusive_scan_update(const Group& group, Atomic& atomic, T value) {
  return inclusive_scan_update(group, atomic, value, plus<T>());
}
template <typename Group, typename Atomic, typename T, typename Operator>
MUSASHIM_D T exclusive_scan_update(const Group& group, Atomic& atomic, T value, Operator op) {
  const T own = inclusive_scan(group, value, op), before = group.shfl_up(own, 1u);
  const unsigned int last = unsigned(group.size()) - 1;
  T start = T();
  if (group.thread_rank() == last) start = details::update(atomic, own, op);
  start = group.shfl(start, last);
  return group.thread_rank() == 0 ? start : op(start, before);
}
template <typename Group, typename Atomic, typename T>
MUSASHIM_D T exclusive_scan_update(const Group& group, Atomic& atomic, T value) {
  return exclusive_scan_update(group, atomic, value, plus<T>());
}

}  // namespace cooperative_groups

#endif
#endif
