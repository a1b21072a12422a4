/* The blocks of a cluster as a group. MUSA devices have no thread block clusters: launches with larger ones
 * are refused, and in all others each block is its own cluster, as on devices that have them. */
#ifndef MUSASHIM_COOPERATIVE_GROUPS_CLUSTER_GROUP_H
#define MUSASHIM_COOPERATIVE_GROUPS_CLUSTER_GROUP_H

#include "lanes.h"

namespace cooperative_groups {

class cluster_group {
 public:
  struct arrival_token {};

  static MUSASHIM_D void sync() { __syncthreads(); }
  /* The barrier in two parts: who waits waits for all. */
  static MUSASHIM_D arrival_token barrier_arrive() { return {}; }
  static MUSASHIM_D void barrier_wait() { sync(); }
  static MUSASHIM_D void barrier_wait(arrival_token&&) { sync(); }

  static MUSASHIM_D unsigned int query_shared_rank(const void*) { return 0; }
  /* Where the block with that rank, the caller's, has what it has at `address`. */
  template <typename T>
  static MUSASHIM_D T* map_shared_rank(T* address, int) {
    return address;
  }

  static MUSASHIM_D dim3 block_index() { return dim3(0, 0, 0); }
  static MUSASHIM_D unsigned int block_rank() { return 0; }
  static MUSASHIM_D dim3 thread_index() { return threadIdx; }
  static MUSASHIM_D unsigned int thread_rank() { return details::blockThreadRank(); }
  static MUSASHIM_D dim3 dim_blocks() { return dim3(1, 1, 1); }
  static MUSASHIM_D unsigned int num_blocks() { return 1; }
  static MUSASHIM_D dim3 dim_threads() { return blockDim; }
  static MUSASHIM_D unsigned int num_threads() { return details::blockThreads(); }
  static MUSASHIM_D unsigned int size() { return num_threads(); }

 private:
  MUSASHIM_D cluster_group() {}
  friend MUSASHIM_D cluster_group this_cluster();
};
MUSASHIM_D cluster_group this_cluster() { return cluster_group(); }

}  // namespace cooperative_groups

#endif
