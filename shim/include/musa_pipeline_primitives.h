/* Asynchronous copies to shared memory by the primitives of CUDA (programming guide, "Pipeline Primitives
 * Interface"). Copies are complete when they were called, so there is never one to wait for; what threads
 * have copied for each other they see after a __syncthreads(), as on hardware. */
#ifndef MUSASHIM_MUSA_PIPELINE_PRIMITIVES_H
#define MUSASHIM_MUSA_PIPELINE_PRIMITIVES_H

#include "musa_awbarrier_primitives.h"

#if defined(__MUSACC__)

/* 4, 8 or 16 bytes, aligned to their size, of which the last `zfill` become 0 instead. */
MUSASHIM_D void __pipeline_memcpy_async(void* __restrict__ dst_shared, const void* __restrict__ src_global,
                                        size_t size_and_align, size_t zfill = 0) {
  __builtin_memcpy(dst_shared, src_global, size_and_align - zfill);
  __builtin_memset(static_cast<char*>(dst_shared) + (size_and_align - zfill), 0, zfill);
}
MUSASHIM_D void __pipeline_commit() {}
/* Until all batches but the last `prior` are complete. */
MUSASHIM_D void __pipeline_wait_prior(size_t prior) { (void)prior; }

/* The phase of the barrier ends after the copies of this thread, without counting as an arrival. */
MUSASHIM_D void __pipeline_arrive_on(__mbarrier_t* barrier) { (void)barrier; }

#endif
#endif
