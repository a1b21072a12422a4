// Kernels whose threads wait for each other at barriers of the block.
#include "block.h"
#include "kernels.h"
#include "test_params.h"

namespace test_image {
namespace {

// Sum of the thread numbers by halving in shared memory, `argument` times over.
void reduceThread(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  auto* shared = reinterpret_cast<int64_t*>(block->shared + block->dynamic_shared_offset);
  for (uint32_t round = 0; round < p.argument; ++round) {
    shared[tid()] = tid();
    __musa_syncthreads();
    for (uint32_t half = threadsOf(block) / 2; half > 0; half /= 2) {
      if (tid() < half) shared[tid()] += shared[tid() + half];
      __musa_syncthreads();
    }
    if (tid() == 0) p.out[linearBlock(block)] += shared[0];
    __musa_syncthreads();
  }
}

// Threads from `argument` on leave before the barriers.
void earlyExitThread(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  if (tid() >= p.argument) return;
  __musa_syncthreads();
  p.out[tid()] = __musa_syncthreads_count(tid() % 2 == 0);
  p.out[tid()] = p.out[tid()] * 10 + __musa_syncthreads_and(tid() < p.argument);
  p.out[tid()] = p.out[tid()] * 10 + __musa_syncthreads_or(tid() == 0);
  p.out[tid()] = p.out[tid()] * 10 + __musa_syncthreads_and(tid() != 0);
}

// argument 0: half of the warp waits in a shuffle for lanes that stand at the barrier.
// argument 1: two lanes wait for each other in operations with different masks.
void deadlockThread(const MusaBlockContext* block) {
  uint32_t kind = params<OutParams>(block).argument;
  if (kind == 0) {
    if (tid() < 16) __musa_shfl_idx(0xffffffffu, 1, 0, 32);
    __musa_syncthreads();
  } else if (tid() < 2) {
    __musa_syncwarp(tid() == 0 ? 0x3u : 0x7u);
    __musa_syncwarp(tid() == 0 ? 0x7u : 0x3u);
  } else {
    __musa_syncthreads();
  }
}

}  // namespace

void reduceKernel(const MusaBlockContext* block) { __musa_run_fibers(block, reduceThread); }
void earlyExitKernel(const MusaBlockContext* block) { __musa_run_fibers(block, earlyExitThread); }
void deadlockKernel(const MusaBlockContext* block) { __musa_run_fibers(block, deadlockThread); }

}  // namespace test_image
