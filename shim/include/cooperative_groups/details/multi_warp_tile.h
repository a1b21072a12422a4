/* Tiles of 64 to 1024 threads: several warps that meet through shared memory
 * (CUDA C++ Programming Guide, "Thread Block Tile").
 */
#ifndef MUSASHIM_COOPERATIVE_GROUPS_MULTI_WARP_TILE_H
#define MUSASHIM_COOPERATIVE_GROUPS_MULTI_WARP_TILE_H

#include "groups.h"

namespace cooperative_groups {

/* The scratch memory that a block may offer its tiles. Tiles here bring their own. */
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {
  char unused;
};
template <unsigned int MaxBlockSize>
MUSASHIM_D thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return this_thread_block();
}

namespace details {

constexpr unsigned int kMaxBlockThreads = 1024;
constexpr unsigned int kLanes = 32;

/* How often threads of a tile have come to a sync; starts at 0. */
template <unsigned int Size>
MUSASHIM_D unsigned int* tileArrivals() {
  __shared__ unsigned int arrivals[kMaxBlockThreads / Size];
  return arrivals;
}
/* One value for each 32 threads of the block. */
template <typename T>
MUSASHIM_D T* tileValues() {
  static_assert(__is_trivially_copyable(T), "tiles exchange trivially copyable values");
  struct alignas(T) Bytes {
    char bytes[sizeof(T)];
  };
  __shared__ Bytes values[kMaxBlockThreads / kLanes];
  return reinterpret_cast<T*>(values);
}

template <unsigned int Size>
class multi_warp_tile {
 public:
  /* Every thread of the tile comes here before any leaves. */
  MUSASHIM_D void sync() const {
    __threadfence_block();
    unsigned int* const arrivals = tileArrivals<Size>() + number();
    const unsigned int target = atomicAdd(arrivals, 1u) / Size * Size + Size;
    while (int(*const_cast<volatile unsigned int*>(arrivals) - target) < 0) __nanosleep(0);
    __threadfence_block();
  }
  static constexpr MUSASHIM_HD unsigned int num_threads() { return Size; }
  static constexpr MUSASHIM_HD unsigned int size() { return Size; }
  static MUSASHIM_D unsigned int thread_rank() { return blockThreadRank() % Size; }
  MUSASHIM_D unsigned int meta_group_rank() const { return meta_rank_; }
  MUSASHIM_D unsigned int meta_group_size() const { return meta_size_; }

  template <typename T>
  MUSASHIM_D T shfl(T value, unsigned int source) const {
    T* const slot = tileValues<T>() + number() * (Size / kLanes);
    if (thread_rank() == source % Size) *slot = value;
    sync();
    const T result = *slot;
    sync();
    return result;
  }
  /* Combines a value of every member; all get the result. */
  template <typename T, typename Operator>
  MUSASHIM_D T reduce(T value, Operator op) const {
    for (int distance = kLanes / 2; distance > 0; distance /= 2) {
      value =
          op(value, exchange(value, [=](uint64_t bits) { return __musa_shfl_xor(~0u, bits, distance, 32); }));
    }
    T* const slots = tileValues<T>() + number() * (Size / kLanes);
    if (lane() == 0u) slots[thread_rank() / kLanes] = value;
    sync();
    T result = slots[0];
    for (unsigned int warp = 1; warp < Size / kLanes; ++warp) result = op(result, slots[warp]);
    sync();
    return result;
  }
  MUSASHIM_D int any(int predicate) const {
    return reduce(int(predicate != 0), [](int a, int b) { return a | b; });
  }
  MUSASHIM_D int all(int predicate) const {
    return reduce(int(predicate != 0), [](int a, int b) { return a & b; });
  }

 protected:
  MUSASHIM_D multi_warp_tile(unsigned int meta_rank, unsigned int meta_size)
      : meta_rank_(meta_rank), meta_size_(meta_size) {
    if (thread_rank() == 0u) tileArrivals<Size>()[number()] = 0u;
  }

 private:
  /* Among the tiles of the block: the parent may be one of several tiles. */
  static MUSASHIM_D unsigned int number() { return blockThreadRank() / Size; }
  unsigned int meta_rank_, meta_size_;
};

/* What tiled_partition does around the making of a tile: the members of the parent
 * have left its earlier tiles, and see this one's counter set. */
template <bool IsMultiWarp>
struct tile_fence {
  template <typename Group>
  static MUSASHIM_D void meet(const Group&) {}
};
template <>
struct tile_fence<true> {
  template <typename Group>
  static MUSASHIM_D void meet(const Group& parent) {
    parent.sync();
  }
};

}  // namespace details

#define MUSASHIM_MULTI_WARP_TILE(count)                                                 \
  template <typename ParentT>                                                           \
  class thread_block_tile<count, ParentT> : public details::multi_warp_tile<count> {    \
   public:                                                                              \
    template <typename OtherParent>                                                     \
    MUSASHIM_D thread_block_tile(const thread_block_tile<count, OtherParent>& other)    \
        : details::multi_warp_tile<count>(other) {}                                     \
                                                                                        \
   private:                                                                             \
    MUSASHIM_D thread_block_tile(unsigned int meta_rank, unsigned int meta_size)        \
        : details::multi_warp_tile<count>(meta_rank, meta_size) {}                      \
    template <unsigned int TileSize, typename Group>                                    \
    friend MUSASHIM_D thread_block_tile<TileSize, Group> tiled_partition(const Group&); \
  }
MUSASHIM_MULTI_WARP_TILE(64);
MUSASHIM_MULTI_WARP_TILE(128);
MUSASHIM_MULTI_WARP_TILE(256);
MUSASHIM_MULTI_WARP_TILE(512);
MUSASHIM_MULTI_WARP_TILE(1024);
#undef MUSASHIM_MULTI_WARP_TILE

}  // namespace cooperative_groups

#endif
