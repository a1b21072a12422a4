/* PTX's barriers of a block by their numbers, 0 to 15: bar.sync, bar.arrive and bar.red. `count` is a multiple of 32;
 * 0 means all threads of the block. Inline PTX becomes these; the vendor's SDK has none of them. */
#ifndef MUSASHIM_CRT_NAMED_BARRIERS_H
#define MUSASHIM_CRT_NAMED_BARRIERS_H

#include "builtin_variables.h"
#include "device_runtime.h"

MUSASHIM_D unsigned int musashimComeTo(unsigned int id, unsigned int count, bool predicate) {
  return __musa_barrier_arrive(id, count, predicate,
                               threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z),
                               blockDim.x * blockDim.y * blockDim.z);
}

MUSASHIM_D void __musa_bar_arrive(unsigned int id, unsigned int count) { (void)musashimComeTo(id, count, false); }
MUSASHIM_D void __musa_bar_sync(unsigned int id, unsigned int count) {
  if (id == 0 && count == 0) {
    __musa_syncthreads();
    return;
  }
  (void)__musa_barrier_wait(id, musashimComeTo(id, count, false));
}

/* Over the threads that wait, or have come. */
MUSASHIM_D unsigned int __musa_bar_red_popc(unsigned int id, unsigned int count, bool predicate) {
  return __musa_barrier_wait(id, musashimComeTo(id, count, predicate)) & 0xffffu;
}
MUSASHIM_D bool __musa_bar_red_and(unsigned int id, unsigned int count, bool predicate) {
  const unsigned int result = __musa_barrier_wait(id, musashimComeTo(id, count, predicate));
  return (result & 0xffffu) == result >> 16;
}
MUSASHIM_D bool __musa_bar_red_or(unsigned int id, unsigned int count, bool predicate) {
  return (__musa_barrier_wait(id, musashimComeTo(id, count, predicate)) & 0xffffu) != 0u;
}

#endif
