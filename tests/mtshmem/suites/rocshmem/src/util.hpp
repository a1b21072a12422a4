// What rocSHMEM's functional tests use of its inner header of this name.
#pragma once

#include <hip/hip_runtime.h>

namespace rocshmem {

__device__ inline int get_flat_block_size() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline int get_flat_block_id() {
  return threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y;
}
__device__ inline int get_flat_grid_id() {
  return blockIdx.x + blockIdx.y * gridDim.x + blockIdx.z * gridDim.x * gridDim.y;
}
__device__ inline int get_flat_id() {
  return get_flat_grid_id() * get_flat_block_size() + get_flat_block_id();
}
__device__ inline bool is_thread_zero_in_block() { return get_flat_block_id() == 0; }
__device__ inline bool is_block_zero_in_grid() { return get_flat_grid_id() == 0; }
__device__ inline bool is_thread_zero_in_wave() { return get_flat_block_id() % warpSize == 0; }

}  // namespace rocshmem
