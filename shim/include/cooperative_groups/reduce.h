/* cooperative_groups::reduce: combines a value of every member of a tile or of
 * coalesced threads; every member gets the result. */
#ifndef MUSASHIM_COOPERATIVE_GROUPS_REDUCE_H
#define MUSASHIM_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#if defined(__MUSACC__)

namespace cooperative_groups {
namespace details {
template <bool Condition>
struct enable_if {};
template <>
struct enable_if<true> {
  using type = int;
};
}  // namespace details

#define MUSASHIM_REDUCTION_OPERATOR(name, expression)                             \
  template <typename T>                                                           \
  struct name {                                                                   \
    MUSASHIM_HD T operator()(const T& a, const T& b) const { return expression; } \
  };                                                                              \
  template <typename T>                                                           \
  struct name<const T> : name<T> {}
MUSASHIM_REDUCTION_OPERATOR(plus, a + b);
MUSASHIM_REDUCTION_OPERATOR(less, b < a ? b : a);
MUSASHIM_REDUCTION_OPERATOR(greater, a < b ? b : a);
MUSASHIM_REDUCTION_OPERATOR(bit_and, a& b);
MUSASHIM_REDUCTION_OPERATOR(bit_or, a | b);
MUSASHIM_REDUCTION_OPERATOR(bit_xor, a ^ b);
#undef MUSASHIM_REDUCTION_OPERATOR

namespace details {
/* The order in which values are combined does not change the result. */
template <typename T, typename Operator>
constexpr bool ordersFreely = false;
#define MUSASHIM_ORDERS_FREELY(name) \
  template <typename T, typename U>  \
  constexpr bool ordersFreely<T, name<U>> = __is_integral(T) && __is_same(T, U)
MUSASHIM_ORDERS_FREELY(plus);
MUSASHIM_ORDERS_FREELY(less);
MUSASHIM_ORDERS_FREELY(greater);
MUSASHIM_ORDERS_FREELY(bit_and);
MUSASHIM_ORDERS_FREELY(bit_or);
MUSASHIM_ORDERS_FREELY(bit_xor);
#undef MUSASHIM_ORDERS_FREELY
}  // namespace details

/* Halves the distance each step; with a commutative operator every member computes
 * the same tree. */
template <unsigned int Size, typename Parent, typename T, typename Operator,
          typename details::enable_if<(Size <= 32u)>::type = 0>
MUSASHIM_D T reduce(const thread_block_tile<Size, Parent>& group, T value, Operator op) {
  for (unsigned int distance = Size / 2; distance > 0; distance /= 2) {
    value = op(value, group.shfl_xor(value, distance));
  }
  return value;
}
template <unsigned int Size, typename Parent, typename T, typename Operator,
          typename details::enable_if<(Size > 32u)>::type = 0>
MUSASHIM_D T reduce(const thread_block_tile<Size, Parent>& group, T value, Operator op) {
  return group.reduce(value, op);
}
/* By rank; where order does not matter, in fewer steps. */
template <typename T, typename Operator>
MUSASHIM_D T reduce(const coalesced_group& group, T value, Operator op) {
  return group.reduce(value, op, details::ordersFreely<T, Operator>);
}

namespace details {
/* One member combines `value` into an atomic (of libcu++'s kind), by whichever operator; what was there before. */
template <typename Atomic, typename T, typename Operator>
MUSASHIM_D T update(Atomic& atomic, T value, Operator op) {
  T before = atomic.load();
  while (!atomic.compare_exchange_weak(before, op(before, value))) {
  }
  return before;
}
}  // namespace details

/* As the CUDA programming guide has them: the result is there for all who synchronise with the group. */
template <typename Group, typename Atomic, typename T, typename Operator>
MUSASHIM_D void reduce_update_async(const Group& group, Atomic& atomic, const T& value, Operator op) {
  const T all = reduce(group, value, op);
  if (group.thread_rank() == 0) details::update(atomic, all, op);
}
template <typename Group, typename T, typename U, typename Operator>
MUSASHIM_D void reduce_store_async(const Group& group, T* to, const U& value, Operator op) {
  const T all = reduce(group, T(value), op);
  if (group.thread_rank() == 0) *to = all;
}
template <typename Group, typename Atomic, typename U, typename Operator>
MUSASHIM_D auto reduce_store_async(const Group& group, Atomic& atomic, const U& value, Operator op)
    -> decltype(atomic.store(value)) {
  const U all = reduce(group, value, op);
  if (group.thread_rank() == 0) atomic.store(all);
}

}  // namespace cooperative_groups

#endif
#endif
