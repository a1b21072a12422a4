/* The device runtime as device code calls it (its contract: abi/musa_device_abi.h),
 * and the C library functions that mean something else on a device. */
#ifndef MUSASHIM_CRT_DEVICE_RUNTIME_H
#define MUSASHIM_CRT_DEVICE_RUNTIME_H

#if defined(__MUSACC__)

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "host_defines.h"

/* Collectives must not be moved into or out of branches. */
#define MUSASHIM_COLLECTIVE __device__ __attribute__((convergent, nothrow))
#define MUSASHIM_RUNTIME __device__ __attribute__((nothrow))

extern "C" {

MUSASHIM_COLLECTIVE void __musa_syncthreads(void);
MUSASHIM_COLLECTIVE int32_t __musa_syncthreads_count(int32_t predicate);
MUSASHIM_COLLECTIVE int32_t __musa_syncthreads_and(int32_t predicate);
MUSASHIM_COLLECTIVE int32_t __musa_syncthreads_or(int32_t predicate);
MUSASHIM_COLLECTIVE void __musa_grid_sync(void);
MUSASHIM_RUNTIME uint32_t __musa_barrier_arrive(uint32_t id, uint32_t count, uint32_t predicate,
                                                uint32_t thread, uint32_t threads);
MUSASHIM_COLLECTIVE uint32_t __musa_barrier_wait(uint32_t id, uint32_t phase);

MUSASHIM_COLLECTIVE void __musa_syncwarp(uint32_t mask);
MUSASHIM_COLLECTIVE uint32_t __musa_activemask(void);
MUSASHIM_COLLECTIVE uint64_t __musa_shfl_idx(uint32_t mask, uint64_t value, int32_t lane, int32_t width);
MUSASHIM_COLLECTIVE uint64_t __musa_shfl_up(uint32_t mask, uint64_t value, uint32_t delta, int32_t width);
MUSASHIM_COLLECTIVE uint64_t __musa_shfl_down(uint32_t mask, uint64_t value, uint32_t delta, int32_t width);
MUSASHIM_COLLECTIVE uint64_t __musa_shfl_xor(uint32_t mask, uint64_t value, int32_t lane_mask, int32_t width);
MUSASHIM_COLLECTIVE uint32_t __musa_ballot(uint32_t mask, int32_t predicate);
MUSASHIM_COLLECTIVE int32_t __musa_all(uint32_t mask, int32_t predicate);
MUSASHIM_COLLECTIVE int32_t __musa_any(uint32_t mask, int32_t predicate);
MUSASHIM_COLLECTIVE uint32_t __musa_match_any(uint32_t mask, uint64_t value);
MUSASHIM_COLLECTIVE uint32_t __musa_match_all(uint32_t mask, uint64_t value, int32_t* predicate);

MUSASHIM_RUNTIME uint64_t __musa_clock64(void);
MUSASHIM_RUNTIME uint64_t __musa_globaltimer(void);
MUSASHIM_RUNTIME void __musa_nanosleep(uint32_t nanoseconds);
MUSASHIM_RUNTIME __attribute__((noreturn)) void __musa_trap(void);
MUSASHIM_RUNTIME __attribute__((noreturn)) void __musa_exit_thread(void);
MUSASHIM_RUNTIME void* __musa_malloc(uint64_t bytes);
MUSASHIM_RUNTIME void __musa_free(void* pointer);

/* Device overloads of host functions: other symbols, so that neither the optimiser
 * nor the linker takes them for the C library's. */
__device__ int printf(const char* format, ...) __asm__("__musa_printf") __attribute__((format(printf, 1, 2)));
__device__ int vprintf(const char* format, __builtin_va_list arguments) __asm__("__musa_vprintf");
__device__ void* malloc(size_t bytes) noexcept __asm__("__musa_malloc");
__device__ void free(void* pointer) noexcept __asm__("__musa_free");
__device__ void __assert_fail(const char* expression, const char* file, unsigned int line,
                              const char* function) noexcept __asm__("__musa_assert_fail")
    __attribute__((noreturn));

}  // extern "C"

#define MUSASHIM_RENAMED(name) __asm__("__musa_device_" name)
extern "C" {
MUSASHIM_D int abs(int x) noexcept MUSASHIM_RENAMED("abs");
MUSASHIM_D long labs(long x) noexcept MUSASHIM_RENAMED("labs");
MUSASHIM_D long long llabs(long long x) noexcept MUSASHIM_RENAMED("llabs");
MUSASHIM_D clock_t clock(void) noexcept MUSASHIM_RENAMED("clock");

MUSASHIM_D int abs(int x) noexcept { return x < 0 ? int(0u - unsigned(x)) : x; }
MUSASHIM_D long labs(long x) noexcept { return x < 0 ? long(0ul - (unsigned long)(x)) : x; }
MUSASHIM_D long long llabs(long long x) noexcept {
  return x < 0 ? (long long)(0ull - (unsigned long long)(x)) : x;
}
MUSASHIM_D clock_t clock(void) noexcept { return clock_t(__musa_clock64()); }
}
#undef MUSASHIM_RENAMED

MUSASHIM_D long long clock64(void) { return (long long)__musa_clock64(); }
MUSASHIM_D void __nanosleep(unsigned int nanoseconds) { __musa_nanosleep(nanoseconds); }
MUSASHIM_D __attribute__((noreturn)) void __trap(void) { __musa_trap(); }
/* A breakpoint without a debugger stops the kernel, as on hardware. */
MUSASHIM_D void __brkpt(void) { __musa_trap(); }
MUSASHIM_D void __prof_trigger(int) {}

#endif
#endif
