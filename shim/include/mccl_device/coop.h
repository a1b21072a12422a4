/* The threads of a block that do something together. Wherever one of these is wanted, any class with
 * thread_rank(), size() and sync() will do, those of cooperative groups among them. */
#ifndef MCCL_DEVICE_COOP_H_
#define MCCL_DEVICE_COOP_H_

#include "core.h"

namespace mccli {
__device__ inline int threadOfBlock() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
/* In its group of 32 lanes, which is what masks are of. */
__device__ inline int laneOfMask() { return threadOfBlock() & 31; }
}  // namespace mccli

struct mcclCoopThread {
  __device__ int thread_rank() const { return 0; }
  __device__ int size() const { return 1; }
  __device__ int num_threads() const { return 1; }
  __device__ void sync() {}
};

/* `Threads` lanes side by side: 1, 2, ... 32. */
template <int Threads>
struct mcclCoopTile {
  static_assert(Threads > 0 && Threads <= 32 && (Threads & (Threads - 1)) == 0, "a power of two up to 32");
  __device__ int thread_rank() const { return mccli::threadOfBlock() % Threads; }
  __device__ int size() const { return Threads; }
  __device__ int num_threads() const { return Threads; }
  __device__ uint32_t laneMask() const {
    return (0xffffffffu >> (32 - Threads)) << (mccli::laneOfMask() & ~(Threads - 1));
  }
  __device__ void sync() { __syncwarp(laneMask()); }
};
/* 32 threads; on devices with warps of 128, a quarter of one. */
typedef mcclCoopTile<32> mcclCoopWarp;

/* The lanes of a mask. */
struct mcclCoopLanes {
  uint32_t lmask;
  __device__ int thread_rank() const { return __popc(lmask & ((1u << mccli::laneOfMask()) - 1)); }
  __device__ int size() const { return __popc(lmask); }
  __device__ int num_threads() const { return __popc(lmask); }
  __device__ void sync() { __syncwarp(lmask); }
};

/* Warps side by side. `id` is the number of the block's barrier that they meet at, 1 to 15: of those that
 * sync at the same time, each has its own. */
struct mcclCoopWarpSpan {
  uint32_t warp0 : 8, nWarps : 8, id : 8;
  __device__ mcclCoopWarpSpan(int first, int count, int number)
      : warp0(static_cast<uint8_t>(first)),
        nWarps(static_cast<uint8_t>(count)),
        id(static_cast<uint8_t>(number)) {}
  __device__ int thread_rank() const { return mccli::threadOfBlock() - 32 * static_cast<int>(warp0); }
  __device__ int size() const { return 32 * static_cast<int>(nWarps); }
  __device__ int num_threads() const { return size(); }
  __device__ void sync() { __musa_bar_sync(id, static_cast<unsigned int>(size())); }
};

/* The whole block. */
struct mcclCoopCta {
  __device__ int thread_rank() const { return mccli::threadOfBlock(); }
  __device__ int size() const { return static_cast<int>(blockDim.x * blockDim.y * blockDim.z); }
  __device__ int num_threads() const { return size(); }
  __device__ void sync() { __syncthreads(); }
};

#endif
