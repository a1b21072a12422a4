/* Cooperative groups: blocks, tiles, coalesced threads, and how groups are divided. */
#ifndef MUSASHIM_COOPERATIVE_GROUPS_H
#define MUSASHIM_COOPERATIVE_GROUPS_H

#if defined(__MUSACC__)

#include "cooperative_groups/details/cluster_group.h"
#include "cooperative_groups/details/groups.h"
#include "cooperative_groups/details/multi_warp_tile.h"

namespace cooperative_groups {

/* Tiles of a block, or smaller tiles of a tile. */
template <unsigned int Size, typename Group>
MUSASHIM_D thread_block_tile<Size, Group> tiled_partition(const Group& parent) {
  const unsigned int size = unsigned(parent.size());
  details::tile_fence<(Size > 32u)>::meet(parent);
  const thread_block_tile<Size, Group> tile(unsigned(parent.thread_rank()) / Size, (size + Size - 1) / Size);
  details::tile_fence<(Size > 32u)>::meet(parent);
  return tile;
}
/* Groups of `size` consecutive members of a block, a tile or coalesced threads. */
MUSASHIM_D thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  if (parent.mask_ == 0u) {
    const unsigned int first = details::lane() / size * size;
    return thread_group(details::laneRange(first, size));
  }
  const unsigned int part = unsigned(parent.thread_rank()) / size;
  unsigned int mask = 0, rest = parent.mask_;
  for (unsigned int rank = 0; rest != 0u; rest &= rest - 1u, ++rank) {
    if (rank / size == part) mask |= rest & (0u - rest);
  }
  return thread_group(mask);
}

MUSASHIM_D coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size) {
  const thread_group part = tiled_partition(static_cast<const thread_group&>(parent), size);
  return coalesced_group(part.mask_, unsigned(parent.thread_rank()) / size,
                         (unsigned(parent.size()) + size - 1) / size);
}

/* Members that passed the same predicate, or the same label. */
template <typename Group>
MUSASHIM_D coalesced_group binary_partition(const Group& group, bool predicate) {
  const coalesced_group members = group;
  const unsigned int yes = __ballot_sync(members.mask_, predicate) & members.mask_;
  return coalesced_group(predicate ? yes : members.mask_ & ~yes, predicate ? 1u : 0u, 2u);
}
template <typename Group>
MUSASHIM_D coalesced_group labeled_partition(const Group& group, int label) {
  const coalesced_group members = group;
  const unsigned int same = __match_any_sync(members.mask_, label) & members.mask_;
  /* Groups are numbered by their first members. */
  const bool leads = details::lane() == details::nthLane(same, 0u);
  const unsigned int leaders = __ballot_sync(members.mask_, leads) & members.mask_;
  const unsigned int before = leaders & ((1u << details::nthLane(same, 0u)) - 1u);
  return coalesced_group(same, unsigned(__popc(before)), unsigned(__popc(leaders)));
}

/* One member, the first one, calls the function; with broadcast, all get what it returns. */
template <typename Group, typename Function, typename... Arguments>
MUSASHIM_D void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
template <typename Group, typename Function, typename... Arguments>
MUSASHIM_D auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

template <typename Group>
MUSASHIM_D void sync(const Group& group) {
  group.sync();
}
template <typename Group>
MUSASHIM_D unsigned long long thread_rank(const Group& group) {
  return group.thread_rank();
}
template <typename Group>
MUSASHIM_D unsigned long long group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups

#endif
#endif
