/* Barriers in one word of shared memory: CUDA's mbarrier primitives (programming guide, "Memory Barrier
 * Primitives Interface"). One thread sets the barrier up; others use it after a __syncthreads().
 *
 * <musa/barrier> and musa_awbarrier.h have classes for the same.
 */
#ifndef MUSASHIM_MUSA_AWBARRIER_PRIMITIVES_H
#define MUSASHIM_MUSA_AWBARRIER_PRIMITIVES_H

#include <stdint.h>

#include "musa_runtime.h"

#if defined(__MUSACC__)

/* From the low bits: 20 of arrivals that the phase waits for, 20 of those that each phase begins with, and
 * the phase's number. A token is the word as the arriving thread found it. */
typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

MUSASHIM_HD uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1u; }

MUSASHIM_HD uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return uint32_t(token) & __mbarrier_maximum_count();
}

MUSASHIM_D void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected_count) {
  __atomic_store_n(barrier, uint64_t(expected_count) << 20 | expected_count, __ATOMIC_RELEASE);
}
/* Afterwards the memory may hold something else. */
MUSASHIM_D void __mbarrier_inval(__mbarrier_t* barrier) { __atomic_store_n(barrier, 0, __ATOMIC_RELAXED); }

/* Arrives; who drops out as well is expected in no later phase. The last one begins the next phase. */
MUSASHIM_D __mbarrier_token_t musashimArrive(__mbarrier_t* barrier, uint32_t dropped) {
  uint64_t state = __atomic_load_n(barrier, __ATOMIC_RELAXED), next;
  do {
    const uint64_t expected = (state >> 20 & __mbarrier_maximum_count()) - dropped;
    const uint64_t pending = (state & __mbarrier_maximum_count()) - 1u;
    const uint64_t phase = (state >> 40) + (pending == 0u);
    next = phase << 40 | expected << 20 | (pending == 0u ? expected : pending);
  } while (!__atomic_compare_exchange_n(barrier, &state, next, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  return state;
}
MUSASHIM_D __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) { return musashimArrive(barrier, 0u); }
MUSASHIM_D __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return musashimArrive(barrier, 1u);
}

/* Whether the phase has ended. Others get their turn before the answer is no, for the caller will ask again.
 */
MUSASHIM_D bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  if (__atomic_load_n(barrier, __ATOMIC_ACQUIRE) >> 40 != token >> 40) return true;
  __nanosleep(0);
  return __atomic_load_n(barrier, __ATOMIC_ACQUIRE) >> 40 != token >> 40;
}
/* The same of the phase whose number is even (false) or odd. */
MUSASHIM_D bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool phase_parity) {
  if ((__atomic_load_n(barrier, __ATOMIC_ACQUIRE) >> 40 & 1u) != uint64_t(phase_parity)) return true;
  __nanosleep(0);
  return (__atomic_load_n(barrier, __ATOMIC_ACQUIRE) >> 40 & 1u) != uint64_t(phase_parity);
}

/* They may wait for a while before they say no; callers repeat them. */
MUSASHIM_D bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token,
                                    uint32_t max_sleep_nanosec) {
  (void)max_sleep_nanosec;
  return __mbarrier_test_wait(barrier, token);
}
MUSASHIM_D bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool phase_parity,
                                           uint32_t max_sleep_nanosec) {
  (void)max_sleep_nanosec;
  return __mbarrier_test_wait_parity(barrier, phase_parity);
}

#endif
#endif
