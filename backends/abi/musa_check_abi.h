/* What checked device code (mcc -fmusa-check) calls, and what it hands over.
 *
 *   mcc's check_instrument pass   emits the calls and the sites
 *   mcc's musa_check_inline.h     answers most of them in the kernel itself
 *   backends/cpu/devrt/check_*    answers the others
 *
 * Plain C, no includes but <stdint.h>: the LLVM pass mirrors it.
 */
#ifndef MUSASHIM_ABI_MUSA_CHECK_ABI_H
#define MUSASHIM_ABI_MUSA_CHECK_ABI_H

#include <stdint.h>

#ifndef MUSA_CHECK_CALL
#define MUSA_CHECK_CALL /* what device code needs before the name of a function that it calls */
#endif
#ifdef __clang__
#define MUSA_CHECK_BORROWED __attribute__((noescape))                     /* nobody keeps the address */
#define MUSA_CHECK_OWN __attribute__((disable_sanitizer_instrumentation)) /* is not checked itself */
#else
#define MUSA_CHECK_BORROWED
#define MUSA_CHECK_OWN
#endif

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

/* An allocation that accesses of a site were found in. */
typedef struct MusaCheckEntry {
  uint64_t base;
  uint64_t bytes;      /* 0: none yet */
  uint64_t generation; /* holds while it is *MusaCheckState::generation */
  /* A byte for every four: which of them have been written, as bits. Null: all. */
  uint8_t* written;
} MusaCheckEntry;

/* LARGEST_ACCESS: bytes of one access; of more, __musa_check_range looks at. */
enum { MUSA_CHECK_ENTRIES = 256, MUSA_CHECK_WHOLE_WORD = 15, MUSA_CHECK_LARGEST_ACCESS = 4096 };

/* An access to four bytes of shared memory. `who`, from the lowest bit on: the thread (16 bits), which bytes
 * (8, as bits), whether it is atomic (8), the epoch (32; 0: nobody). `what`: the thread's clock (32), the low
 * half of the site's address. */
typedef struct MusaCheckAccess {
  uint64_t who, what;
} MusaCheckAccess;

/* Of each word of shared memory its last write and two reads are remembered: all `who` of one sort lie next
 * to each other, MusaCheckState::pitch from those of the next sort, and so do all `what` behind them. */
enum { MUSA_CHECK_LAST_WRITE, MUSA_CHECK_FIRST_READ, MUSA_CHECK_LAST_READ, MUSA_CHECK_SORTS };

/* True when the access that left `who` was another thread's, with no barrier in between: the same epoch, and
 * not the same thread. */
MUSA_CHECK_CALL static inline __attribute__((always_inline)) int musaCheckClash(uint64_t who, uint64_t mine) {
  return ((who ^ mine) & 0xffffffff0000ffff) - 1 < 0xffff;
}

/* Of the block that runs on a host thread: what code in kernels looks at. */
typedef struct MusaCheckState {
  void* owner; /* the device runtime's; null: no block is checked */
  /* The same while a block runs. */
  const MusaCheckEntry* entries; /* MUSA_CHECK_ENTRIES of them; a site has one by its number */
  const uint64_t* generation;
  uint64_t shared, shared_bytes;
  uint64_t dynamic; /* bytes from `shared` to what the launch asked for */
  uint64_t* words;  /* of shared memory: 2 * MUSA_CHECK_SORTS * pitch */
  uint64_t pitch;
  const uint32_t* clocks;       /* by thread */
  const uint8_t* met;           /* not 0: threads have met, other than at barriers, and clocks differ */
  const MusaCheckSite** places; /* by thread: where it waits or waited last */
  const MusaCheckSite* ended;   /* the place of threads that have */
  uint32_t threads;             /* of the block */
  uint32_t warp_size;
  /* Not the same. */
  uint32_t epoch;               /* counts barriers */
  uint32_t live;                /* threads that have not ended */
  uint32_t arrived;             /* at the barrier */
  uint32_t mixed;               /* not 0: at several */
  uint32_t meetings;            /* warp operations in progress */
  const MusaCheckSite* barrier; /* where threads are that have arrived */
} MusaCheckState;

#ifndef MUSASHIM_DEVICE_COMPILER
extern __thread MusaCheckState __musa_check_state __attribute__((tls_model("initial-exec")));

/* Host side, before the first allocation: from now on allocations and copies are
 * followed. Idempotent; checks only ever become more. */
void __musa_check_enable(uint32_t checks);

/* Constructor and destructor of a checked image. */
void __musa_check_register(const MusaCheckVariable* variables, uint64_t count, uint32_t checks);
void __musa_check_unregister(const MusaCheckVariable* variables, uint64_t count);
#endif

/* Where `thread` is asked for, it is the linear index of the one that calls.
 *
 * Before a read, an atomic, or a store with the bits that will be stored (`known` is 0 when
 * they do not fit). The result is where to access: where the access would be invalid, memory
 * that is nobody's, from then on for all that the thread accesses. `slot`: of the site's entry. */
MUSA_CHECK_CALL void* __musa_check_access(void* address, const MusaCheckSite* site, uint32_t slot,
                                          uint32_t thread, uint64_t value, uint32_t known);
/* The same of shared memory, without a look at races; and the look at races. */
MUSA_CHECK_CALL void* __musa_check_shared(void* address, const MusaCheckSite* site, uint32_t thread);
MUSA_CHECK_CALL void __musa_check_race(const void* address, const MusaCheckSite* site, uint32_t thread,
                                       uint64_t value, uint32_t known);
/* Of `count` accesses in a loop, `step` bytes from one to the next, that all happen: true when none of them
 * needs another look; false of none. Where races are looked for (row_race), they are remembered then, as
 * those of `thread` and those that follow by `next` each. `init`: reads are of written memory only, and
 * writes are remembered.
 */
MUSA_CHECK_CALL uint32_t __musa_check_row(const void* first, int64_t step, uint64_t count,
                                          const MusaCheckSite* site, uint32_t slot, uint32_t init);
MUSA_CHECK_CALL uint32_t __musa_check_row_race(const void* first, int64_t step, uint64_t count,
                                               const MusaCheckSite* site, uint32_t thread, uint32_t next);
/* `thread` and those that follow, `count` of them, have come to a barrier. */
MUSA_CHECK_CALL void __musa_check_arrive(const MusaCheckSite* site, uint32_t thread, uint64_t count);
/* ... have ended. */
MUSA_CHECK_CALL void __musa_check_end(uint32_t thread, uint64_t count);
/* Before a memory intrinsic. The result is how many bytes to access: 0 where that would be invalid. */
MUSA_CHECK_CALL uint64_t __musa_check_range(const void* address, uint64_t bytes, const MusaCheckSite* site,
                                            uint32_t thread);
/* The compiler's own comparison found `address` outside of the variable at `base`. */
MUSA_CHECK_CALL void* __musa_check_bounds(MUSA_CHECK_BORROWED const void* address,
                                          MUSA_CHECK_BORROWED const void* base, const MusaCheckSite* site,
                                          uint32_t thread);

/* All threads that have not ended have come to a barrier. */
MUSA_CHECK_CALL void __musa_check_barrier(void);
/* `count` threads come to the barrier at `site`. Volatile: no loop over threads sums them up. */
MUSA_CHECK_CALL MUSA_CHECK_OWN static inline __attribute__((always_inline)) void musaCheckArrived(
    volatile MusaCheckState* state, const MusaCheckSite* site, uint32_t count) {
  if (state->arrived == 0) state->barrier = site;
  state->mixed |= state->barrier != site;
  state->arrived += count;
  if (state->arrived == state->live) __musa_check_barrier();
}
/* A thread has ended that others may wait for. */
MUSA_CHECK_CALL void __musa_check_leave(void);
/* `count` threads end. */
MUSA_CHECK_CALL MUSA_CHECK_OWN static inline __attribute__((always_inline)) void musaCheckEnded(
    volatile MusaCheckState* state, uint32_t count) {
  state->live -= count;
  if ((state->arrived | state->meetings) != 0) __musa_check_leave();
}
/* Before a warp operation: the mask to use. */
MUSA_CHECK_CALL uint32_t __musa_check_warp(const MusaCheckSite* site, uint32_t mask, uint32_t thread);

/* In place of __musa_malloc and __musa_free. */
MUSA_CHECK_CALL void* __musa_check_malloc(uint64_t bytes);
MUSA_CHECK_CALL void __musa_check_free(void* pointer, const MusaCheckSite* site, uint32_t thread);

#ifdef __cplusplus
}
#endif
#endif
