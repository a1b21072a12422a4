/* What profiled device code (mcc -fmusa-profile) calls, and what it hands over.
 *
 *   mcc's metrics passes         emit the tables and the calls
 *   backends/cpu/devrt/metrics   counts
 *
 * A *step* is a basic block of the optimised kernel as a warp runs it once: its lanes that take part are
 * those that come by with the same numbers of rounds in the loops around it. An *access* is a load, store or
 * atomic of such a step.
 *
 * Plain C, no includes but <stdint.h>: the LLVM pass mirrors it.
 */
#ifndef MUSASHIM_ABI_MUSA_METRICS_ABI_H
#define MUSASHIM_ABI_MUSA_METRICS_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Classes of instructions. Changing one changes kMetricsClassNames. */
enum {
  MUSA_CLASS_FP32,
  MUSA_CLASS_FP32_FMA, /* two operations */
  MUSA_CLASS_FP64,
  MUSA_CLASS_FP64_FMA,
  MUSA_CLASS_FP16,    /* and bfloat16 */
  MUSA_CLASS_SPECIAL, /* roots, division, transcendental functions */
  MUSA_CLASS_INTEGER, /* addresses too */
  MUSA_CLASS_CONVERSION,
  MUSA_CLASS_COMPARE, /* and selections */
  MUSA_CLASS_CONTROL,
  MUSA_CLASS_LOAD,
  MUSA_CLASS_STORE,
  MUSA_CLASS_ATOMIC,
  MUSA_CLASS_BARRIER,
  MUSA_CLASS_WARP, /* shuffles, votes, matches */
  MUSA_CLASS_CALL, /* of what is not inlined */
  MUSA_CLASSES
};

typedef struct MusaMetricsLine {
  const char* file;
  uint32_t line;
  uint32_t reserved;
} MusaMetricsLine;

/* Instructions of one class and line in a step. */
typedef struct MusaMetricsCount {
  uint32_t line; /* of the kernel's lines */
  uint16_t kind; /* MUSA_CLASS_* */
  uint16_t count;
} MusaMetricsCount;

/* The counters are the runtime's. */
typedef struct MusaMetricsStep {
  const MusaMetricsCount* counts;
  uint64_t count;
  uint64_t warps; /* how often a warp ran it */
  uint64_t lanes; /* that took part, in sum */
} MusaMetricsStep;

enum { MUSA_ACCESS_READ, MUSA_ACCESS_WRITE, MUSA_ACCESS_ATOMIC };
enum { MUSA_MEMORY_DEVICE, MUSA_MEMORY_SHARED, MUSA_MEMORY_LOCAL, MUSA_MEMORY_CONSTANT, MUSA_MEMORY_SPACES };

/* In sum over the warps' accesses. */
typedef struct MusaMetricsTraffic {
  uint64_t requests; /* of warps */
  uint64_t lanes;
  uint64_t parts;  /* device and local memory: sectors; shared memory: wavefronts */
  uint64_t least;  /* ... as few as these bytes need */
  uint64_t serial; /* atomics: lanes that had to wait for others at the same address */
} MusaMetricsTraffic;

typedef struct MusaMetricsAccess {
  uint32_t line;
  uint32_t bytes; /* of a lane */
  uint8_t kind;   /* MUSA_ACCESS_* */
  uint8_t space;  /* MUSA_MEMORY_LOCAL and CONSTANT are known to the compiler, the others by the address */
  uint8_t reserved[6];
  MusaMetricsTraffic traffic[2]; /* device (or local, constant), shared memory */
} MusaMetricsAccess;

/* Where threads leave that they have been at a step, or what address they have accessed: an array of 64-bit
 * numbers each, with an element per thread, 0 where it has not been. That costs a store, which vectorises,
 * where a call would take the time of a hundred. */
typedef struct MusaMetricsSlots {
  void* row; /* MusaMetricsStep, or MusaMetricsAccess */
  uint32_t is_access;
  uint32_t first;  /* slot */
  uint32_t rounds; /* slots, for a round each; 0: a single one, with the number of rounds */
  uint32_t block;  /* of code: threads that come to one place in it come to all */
} MusaMetricsSlots;

enum {
  MUSA_SLOTS_ONCE,            /* outside of loops */
  MUSA_SLOTS_OF_FIRST_ROUNDS, /* of a loop; later rounds are told by calls */
  MUSA_SLOTS_IN_TURN /* of a loop that all threads go round together: round i has slot i % rounds, and the
                      * code has them read when all are in use */
};

/* Of a loop, its inner loops apart, or of what is outside of loops. */
typedef struct MusaMetricsGroup {
  const MusaMetricsSlots* slots;
  uint32_t count;
  uint32_t kind; /* MUSA_SLOTS_* */
  uint32_t rounds;
  uint32_t reserved;
} MusaMetricsGroup;

typedef struct MusaMetricsKernel {
  const char* name; /* mangled */
  const MusaMetricsLine* lines;
  MusaMetricsStep* steps;
  MusaMetricsAccess* accesses;
  uint64_t line_count, step_count, access_count;
  uint64_t blocks; /* of all launches */
  uint64_t seen;   /* ... that were counted */
  uint64_t cut;    /* ... of which not all was */
  const MusaMetricsGroup* groups;
  uint64_t group_count, slot_count;
  void* kinds; /* of its blocks: the runtime's own */
} MusaMetricsKernel;

#ifndef MUSASHIM_DEVICE_COMPILER
#include "abi/musa_device_abi.h"

/* Constructor and destructor of a profiled image. */
void __musa_metrics_register(MusaMetricsKernel* const* kernels, uint64_t count);
void __musa_metrics_unregister(MusaMetricsKernel* const* kernels, uint64_t count);

/* A number that a block has in common with those that go the same ways and touch memory in the same pattern,
 * among those of launches with the same sizes. */
typedef uint64_t (*MusaBlockKindFunction)(const MusaBlockContext* block);

/* A block of a profiled kernel: `plain`, or `profiled` where it is one of those that are looked at. With
 * `kind`, one of each kind is counted for all; null: blocks may all differ. */
void __musa_run_profiled(const MusaBlockContext* block, MusaBlockFunction plain, MusaBlockFunction profiled,
                         MusaMetricsKernel* kernel, MusaBlockKindFunction kind);

/* The slots of the block that this host thread counts, and the bytes from one to the next. */
char* __musa_metrics_slots(void);
uint64_t __musa_metrics_stride(void);
/* Reads the group's slots, while no thread of the block writes to them: those of all rounds, or (settle)
 * those in use, as its loop is left. */
void __musa_metrics_turn(uint32_t group);
void __musa_metrics_settle(uint32_t group);

/* Of a thread of the block by its linear index. `rounds` tells its rounds in the loops around apart. */
void __musa_metrics_step(MusaMetricsStep* step, uint64_t rounds, uint64_t thread);
void __musa_metrics_access(MusaMetricsAccess* access, const void* address, uint64_t rounds, uint64_t thread);
#endif

#ifdef __cplusplus
}
#endif

#endif
