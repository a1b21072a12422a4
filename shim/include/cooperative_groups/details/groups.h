/* The groups and their methods (CUDA C++ Programming Guide, "Cooperative Groups").
 */
#ifndef MUSASHIM_COOPERATIVE_GROUPS_GROUPS_H
#define MUSASHIM_COOPERATIVE_GROUPS_GROUPS_H

#include "lanes.h"

namespace cooperative_groups {

template <unsigned int Size, typename ParentT>
class thread_block_tile;
class coalesced_group;
/* The calling thread as a group of its own. */
MUSASHIM_D thread_block_tile<1u, void> this_thread();

/* Any group of threads within a block, by its kind at run time. */
class thread_group {
 public:
  MUSASHIM_D void sync() const {
    if (mask_ == 0u) {
      __syncthreads();
    } else {
      __syncwarp(mask_);
    }
  }
  MUSASHIM_D unsigned long long num_threads() const {
    return mask_ == 0u ? details::blockThreads() : unsigned(__popc(mask_));
  }
  MUSASHIM_D unsigned long long size() const { return num_threads(); }
  MUSASHIM_D unsigned long long thread_rank() const {
    if (mask_ == 0u) return details::blockThreadRank();
    return unsigned(__popc(mask_ & ((1u << details::lane()) - 1u)));
  }

 protected:
  explicit MUSASHIM_D thread_group(unsigned int mask) : mask_(mask) {}
  unsigned int mask_; /* the member lanes; 0: the whole block */

  friend MUSASHIM_D thread_group tiled_partition(const thread_group& parent, unsigned int size);
  friend MUSASHIM_D coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size);
};

class thread_block : public thread_group {
 public:
  struct arrival_token {};

  /* The barrier in two parts, as the grid's below. */
  MUSASHIM_D arrival_token barrier_arrive() const { return {}; }
  MUSASHIM_D void barrier_wait(arrival_token&&) const { sync(); }

  static MUSASHIM_D void sync() { __syncthreads(); }
  static MUSASHIM_D unsigned int num_threads() { return details::blockThreads(); }
  static MUSASHIM_D unsigned int size() { return details::blockThreads(); }
  static MUSASHIM_D unsigned int thread_rank() { return details::blockThreadRank(); }
  static MUSASHIM_D dim3 group_index() { return blockIdx; }
  static MUSASHIM_D dim3 thread_index() { return threadIdx; }
  static MUSASHIM_D dim3 group_dim() { return blockDim; }
  static MUSASHIM_D dim3 dim_threads() { return blockDim; }

 private:
  MUSASHIM_D thread_block() : thread_group(0u) {}
  friend MUSASHIM_D thread_block this_thread_block();
};
MUSASHIM_D thread_block this_thread_block() { return thread_block(); }

/* All blocks of a kernel. They can wait for each other when it was launched cooperatively:
 * else is_valid() is false, and waiting is a fault. */
class grid_group {
 public:
  struct arrival_token {};

  static MUSASHIM_D bool is_valid() { return __musa_is_cooperative() != 0; }
  static MUSASHIM_D void sync() { __musa_grid_sync(); }
  /* The barrier in two parts: what comes before the first in any thread is seen behind the
   * second in all. Here everybody waits for the others to come to the second part. */
  MUSASHIM_D arrival_token barrier_arrive() const { return {}; }
  MUSASHIM_D void barrier_wait(arrival_token&&) const { sync(); }

  static MUSASHIM_D dim3 group_dim() { return gridDim; }
  static MUSASHIM_D dim3 dim_blocks() { return gridDim; }
  static MUSASHIM_D dim3 block_index() { return blockIdx; }
  static MUSASHIM_D dim3 thread_index() { return threadIdx; }
  static MUSASHIM_D unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  static MUSASHIM_D unsigned long long block_rank() {
    return blockIdx.x +
           (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  static MUSASHIM_D unsigned long long num_threads() { return num_blocks() * details::blockThreads(); }
  static MUSASHIM_D unsigned long long size() { return num_threads(); }
  static MUSASHIM_D unsigned long long thread_rank() {
    return block_rank() * details::blockThreads() + details::blockThreadRank();
  }

 private:
  MUSASHIM_D grid_group() {}
  friend MUSASHIM_D grid_group this_grid();
};
MUSASHIM_D grid_group this_grid() { return grid_group(); }

/* Threads of one group of 32 lanes, in any pattern. */
class coalesced_group : public thread_group {
 public:
  MUSASHIM_D void sync() const { __syncwarp(mask_); }
  MUSASHIM_D unsigned long long num_threads() const { return unsigned(__popc(mask_)); }
  MUSASHIM_D unsigned long long size() const { return num_threads(); }
  MUSASHIM_D unsigned long long thread_rank() const { return thread_group::thread_rank(); }
  MUSASHIM_D unsigned long long meta_group_rank() const { return meta_rank_; }
  MUSASHIM_D unsigned long long meta_group_size() const { return meta_size_; }

  template <typename T>
  MUSASHIM_D T shfl(T value, unsigned int source) const {
    return details::fromLane(mask_, value, details::nthLane(mask_, source % unsigned(size())));
  }
  /* A thread whose source would lie outside the group keeps its value. */
  template <typename T>
  MUSASHIM_D T shfl_down(T value, unsigned int delta) const {
    const unsigned int rank = unsigned(thread_rank());
    return shfl(value, rank + delta < size() ? rank + delta : rank);
  }
  template <typename T>
  MUSASHIM_D T shfl_up(T value, unsigned int delta) const {
    const unsigned int rank = unsigned(thread_rank());
    return shfl(value, rank >= delta ? rank - delta : rank);
  }

  MUSASHIM_D int any(int predicate) const { return __any_sync(mask_, predicate); }
  MUSASHIM_D int all(int predicate) const { return __all_sync(mask_, predicate); }
  MUSASHIM_D unsigned int ballot(int predicate) const {
    return details::packByRank(__ballot_sync(mask_, predicate), mask_);
  }
  template <typename T>
  MUSASHIM_D unsigned int match_any(T value) const {
    return details::packByRank(__match_any_sync(mask_, value), mask_);
  }
  template <typename T>
  MUSASHIM_D unsigned int match_all(T value, int& predicate) const {
    return details::packByRank(__match_all_sync(mask_, value, &predicate), mask_);
  }
  /* cooperative_groups::reduce. */
  template <typename T, typename Operator>
  MUSASHIM_D T reduce(T value, Operator op, bool inAnyOrder) const {
    const auto read = [this] __device__(const T& own, unsigned int lane) {
      return details::fromLane(mask_, own, lane);
    };
    if (inAnyOrder) return __musa_combine_members(mask_, value, op, read);
    T result = read(value, unsigned(__builtin_ctz(mask_)));
    for (unsigned int rest = mask_ & (mask_ - 1u); rest != 0u; rest &= rest - 1u) {
      result = op(result, read(value, unsigned(__builtin_ctz(rest))));
    }
    return result;
  }

 private:
  explicit MUSASHIM_D coalesced_group(unsigned int mask, unsigned int meta_rank = 0,
                                      unsigned int meta_size = 1)
      : thread_group(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  unsigned int meta_rank_, meta_size_;

  template <unsigned int Size, typename ParentT>
  friend class thread_block_tile;
  friend MUSASHIM_D coalesced_group coalesced_threads();
  template <typename Group>
  friend MUSASHIM_D coalesced_group binary_partition(const Group& group, bool predicate);
  template <typename Group>
  friend MUSASHIM_D coalesced_group labeled_partition(const Group& group, int label);
  friend MUSASHIM_D coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size);
};
MUSASHIM_D coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* Size consecutive threads of a block. */
template <unsigned int Size, typename ParentT = void>
class thread_block_tile : public thread_group {
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads: the range of a mask");

 public:
  MUSASHIM_D void sync() const { __syncwarp(mask_); }
  static constexpr MUSASHIM_HD unsigned int num_threads() { return Size; }
  static constexpr MUSASHIM_HD unsigned int size() { return Size; }
  static MUSASHIM_D unsigned int thread_rank() { return details::lane() % Size; }
  /* The tile's number among its parent's, and how many there are. */
  MUSASHIM_D unsigned int meta_group_rank() const { return meta_rank_; }
  MUSASHIM_D unsigned int meta_group_size() const { return meta_size_; }

  /* A tile of known parent serves where the parent does not matter. */
  template <typename OtherParent>
  MUSASHIM_D thread_block_tile(const thread_block_tile<Size, OtherParent>& other)
      : thread_group(other), meta_rank_(other.meta_group_rank()), meta_size_(other.meta_group_size()) {}

  template <typename T>
  MUSASHIM_D T shfl(T value, unsigned int source) const {
    return details::exchange(
        value, [&](uint64_t bits) { return __musa_shfl_idx(mask_, bits, int32_t(source % Size), Size); });
  }
  /* A thread whose source would lie outside the tile keeps its value. */
  template <typename T>
  MUSASHIM_D T shfl_down(T value, unsigned int delta) const {
    return details::exchange(value,
                             [&](uint64_t bits) { return __musa_shfl_down(mask_, bits, delta, Size); });
  }
  template <typename T>
  MUSASHIM_D T shfl_up(T value, unsigned int delta) const {
    return details::exchange(value, [&](uint64_t bits) { return __musa_shfl_up(mask_, bits, delta, Size); });
  }
  template <typename T>
  MUSASHIM_D T shfl_xor(T value, unsigned int lane_mask) const {
    return details::exchange(
        value, [&](uint64_t bits) { return __musa_shfl_xor(mask_, bits, int32_t(lane_mask % Size), Size); });
  }

  MUSASHIM_D int any(int predicate) const { return __any_sync(mask_, predicate); }
  MUSASHIM_D int all(int predicate) const { return __all_sync(mask_, predicate); }
  MUSASHIM_D unsigned int ballot(int predicate) const {
    return (__ballot_sync(mask_, predicate) & mask_) >> first();
  }
  template <typename T>
  MUSASHIM_D unsigned int match_any(T value) const {
    return (__match_any_sync(mask_, value) & mask_) >> first();
  }
  template <typename T>
  MUSASHIM_D unsigned int match_all(T value, int& predicate) const {
    return (__match_all_sync(mask_, value, &predicate) & mask_) >> first();
  }
  MUSASHIM_D operator coalesced_group() const { return coalesced_group(mask_, meta_rank_, meta_size_); }

 private:
  MUSASHIM_D thread_block_tile(unsigned int meta_rank, unsigned int meta_size)
      : thread_group(details::laneRange(first(), Size)), meta_rank_(meta_rank), meta_size_(meta_size) {}
  static MUSASHIM_D unsigned int first() { return details::lane() & ~(Size - 1u); }
  unsigned int meta_rank_, meta_size_;

  template <unsigned int TileSize, typename Group>
  friend MUSASHIM_D thread_block_tile<TileSize, Group> tiled_partition(const Group& parent);
  friend MUSASHIM_D thread_block_tile<1u, void> this_thread();
};
MUSASHIM_D thread_block_tile<1u, void> this_thread() { return thread_block_tile<1u, void>(0u, 1u); }

}  // namespace cooperative_groups

#endif
