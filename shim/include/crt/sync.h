/* Barriers and fences. */
#ifndef MUSASHIM_CRT_SYNC_H
#define MUSASHIM_CRT_SYNC_H

#include "device_runtime.h"

MUSASHIM_D void __syncthreads() { __musa_syncthreads(); }
MUSASHIM_D int __syncthreads_count(int predicate) { return __musa_syncthreads_count(predicate); }
MUSASHIM_D int __syncthreads_and(int predicate) { return __musa_syncthreads_and(predicate); }
MUSASHIM_D int __syncthreads_or(int predicate) { return __musa_syncthreads_or(predicate); }
MUSASHIM_D void __syncwarp(unsigned int mask = 0xffffffffu) { __musa_syncwarp(mask); }

/* The threads of a block share a processor: ordering the compiler is enough. */
MUSASHIM_D void __threadfence_block() { __atomic_thread_fence(__ATOMIC_ACQ_REL); }
MUSASHIM_D void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
MUSASHIM_D void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif
