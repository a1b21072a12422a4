/* What checked device code (mcc -fmusa-check) calls, and what it hands over.
 *
 *   mcc's check_instrument pass   emits the calls and the sites
 *   backends/cpu/devrt/check_*    answers them
 *
 * Plain C, no includes but <stdint.h>: the LLVM pass mirrors it.
 */
#ifndef MUSASHIM_ABI_MUSA_CHECK_ABI_H
#define MUSASHIM_ABI_MUSA_CHECK_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The checks, as bits; named as compute-sanitizer names its tools. */
enum {
  MUSA_CHECK_MEMORY = 1u << 0,
  MUSA_CHECK_RACE = 1u << 1,
  MUSA_CHECK_INIT = 1u << 2,
  MUSA_CHECK_SYNC = 1u << 3
};

/* What happens at a site. */
enum {
  MUSA_SITE_READ,
  MUSA_SITE_WRITE,
  MUSA_SITE_ATOMIC,
  MUSA_SITE_BARRIER,
  MUSA_SITE_SYNCWARP, /* the one warp operation that orders memory */
  MUSA_SITE_WARP,     /* shuffles, votes, matches */
  MUSA_SITE_HEAP      /* malloc and free of device code */
};

/* How an atomic orders the memory around it, as bits: who acquires from a word sees what
 * was done before a release there. */
enum { MUSA_ORDER_RELAXED = 0, MUSA_ORDER_ACQUIRE = 1, MUSA_ORDER_RELEASE = 2 };

/* What the compiler knows of the memory that a site touches. */
enum { MUSA_SPACE_GENERIC, MUSA_SPACE_SHARED, MUSA_SPACE_LOCAL, MUSA_SPACE_VARIABLE };

/* One place of the source. Read-only. */
typedef struct MusaCheckSite {
  const char* function; /* demangled */
  const char* file;
  const char* variable;    /* the variable that is accessed; null when not known */
  uint64_t variable_bytes; /* its size; 0 for dynamic shared memory */
  uint32_t line;
  uint32_t bytes; /* of the access */
  uint32_t align; /* that it needs; at least 1 */
  uint8_t kind;   /* MUSA_SITE_* */
  uint8_t space;  /* MUSA_SPACE_* */
  uint8_t checks; /* MUSA_CHECK_* that apply here */
  uint8_t order;  /* MUSA_ORDER_* of an atomic */
} MusaCheckSite;

/* A variable or constant of an image, shared ones left out. */
typedef struct MusaCheckVariable {
  const void* address;
  uint64_t bytes;
  const char* name;
} MusaCheckVariable;

#ifndef MUSASHIM_DEVICE_COMPILER
/* Host side, before the first allocation: from now on allocations and copies are
 * followed. Idempotent; checks only ever become more. */
void __musa_check_enable(uint32_t checks);

/* Constructor and destructor of a checked image. */
void __musa_check_register(const MusaCheckVariable* variables, uint64_t count, uint32_t checks);
void __musa_check_unregister(const MusaCheckVariable* variables, uint64_t count);

/* First thing in every thread of a checked kernel. */
void __musa_check_enter(void);

/* Before a read or an atomic; before a store, with the bits that will be stored
 * (`known` is 0 when they do not fit); before a memory intrinsic. None returns when
 * the access would be invalid: the device thread ends. */
void __musa_check_access(const void* address, const MusaCheckSite* site);
void __musa_check_store(const void* address, const MusaCheckSite* site, uint64_t value, uint32_t known);
void __musa_check_range(const void* address, uint64_t bytes, const MusaCheckSite* site);
/* The compiler's own comparison found `address` outside of the variable at `base`. */
void __musa_check_bounds(const void* address, const void* base, const MusaCheckSite* site)
    __attribute__((noreturn));

/* Before a barrier or a warp operation. */
void __musa_check_barrier(const MusaCheckSite* site);
void __musa_check_warp(const MusaCheckSite* site, uint32_t mask);

/* In place of __musa_malloc and __musa_free. */
void* __musa_check_malloc(uint64_t bytes, const MusaCheckSite* site);
void __musa_check_free(void* pointer, const MusaCheckSite* site);
#endif

#ifdef __cplusplus
}
#endif
#endif
