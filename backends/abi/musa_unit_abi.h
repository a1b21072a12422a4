/* How mcc's block compiler and the device runtime share the work of kernels whose
 * threads wait for each other.
 *
 * The compiler cuts such a kernel into regions at its barriers and warp operations and
 * makes each a loop over the threads of a unit: the whole block, or a warp when the
 * kernel has warp operations. While all threads of a unit go the same way, compiled
 * code goes from region to region by itself. When they part, each thread's place is
 * kept in MusaUnit::pc, and the runtime says which region runs next, for the threads
 * that are there.
 */
#ifndef MUSASHIM_ABI_MUSA_UNIT_ABI_H
#define MUSASHIM_ABI_MUSA_UNIT_ABI_H

#include "musa_device_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What threads do together between two regions. */
typedef enum MusaUnitOp {
  MUSA_OP_NONE,
  MUSA_OP_BARRIER,
  MUSA_OP_BARRIER_COUNT,
  MUSA_OP_BARRIER_AND,
  MUSA_OP_BARRIER_OR,
  MUSA_OP_SYNCWARP,
  MUSA_OP_ACTIVEMASK,
  MUSA_OP_SHFL_IDX,
  MUSA_OP_SHFL_UP,
  MUSA_OP_SHFL_DOWN,
  MUSA_OP_SHFL_XOR,
  MUSA_OP_BALLOT,
  MUSA_OP_ALL,
  MUSA_OP_ANY,
  MUSA_OP_MATCH_ANY,
  MUSA_OP_MATCH_ALL,
  MUSA_OP_YIELD,        /* lets the others run first; the argument is in nanoseconds */
  MUSA_OP_GRID_BARRIER, /* a barrier, and once all of the block are there, the grid's */
  MUSA_OP_CONVERGE,     /* the lanes of a warp that are behind go first; the argument is the point's rank */
  MUSA_OP_STEP,         /* the block's others come first to theirs, or to where they wait or yield */
  MUSA_OP_NAMED_WAIT    /* until a phase of one of the block's numbered barriers is over */
} MusaUnitOp;

static inline int musaOpIsBarrier(uint32_t op) {
  return (op >= MUSA_OP_BARRIER && op <= MUSA_OP_BARRIER_OR) || op == MUSA_OP_GRID_BARRIER;
}
/* Among the threads of a warp. */
static inline int musaOpIsWarps(uint32_t op) {
  return (op >= MUSA_OP_SYNCWARP && op <= MUSA_OP_MATCH_ALL) || op == MUSA_OP_CONVERGE;
}

/* A warp that comes to it lets the block's others run. */
static inline int musaOpLeavesUnit(uint32_t op) {
  return musaOpIsBarrier(op) || op == MUSA_OP_YIELD || op == MUSA_OP_STEP || op == MUSA_OP_NAMED_WAIT;
}

/* An operand: the same constant for all, or an array in the frame with an element per
 * thread, `capacity` * `slot` bytes from its start. */
typedef struct MusaOperand {
  int32_t slot; /* -1: constant */
  uint32_t bytes;
  uint64_t constant;
} MusaOperand;

enum {
  /* All living threads of the unit enter together: code in which they had diverged ends here. */
  MUSA_REGION_CONVERGED = 1u << 0
};

typedef struct MusaRegion {
  uint32_t op; /* MusaUnitOp that threads complete before they enter */
  uint32_t flags;
  MusaOperand mask, value, argument, width;
  MusaOperand result; /* never constant; slot -1 when nobody reads it */
} MusaRegion;

typedef struct MusaUnit MusaUnit;

typedef struct MusaUnitProgram {
  /* Runs each of a block's warps that is ready, until it waits for the runtime or ends; null when the unit is
   * the block. `which`: MusaUnitChoice. Returns the states they have then, as bits (1 << state). */
  uint32_t (*run)(MusaUnit* units, uint32_t count, uint32_t which);
  const MusaRegion* regions;
  uint32_t region_count;
  uint32_t lane_bytes;   /* of the frame, per thread */
  uint32_t scalar_bytes; /* of the frame, per unit */
} MusaUnitProgram;

enum {
  MUSA_PC_WAITS = 0x8000, /* the region's op is still to complete */
  MUSA_PC_EXITED = 0x7fff,
  MUSA_RESUME_PARTED = -1 /* go on as MusaUnit::pc says */
};

struct MusaUnit {
  const MusaBlockContext* block;
  char* frame;       /* arrays of `capacity` elements */
  char* scalars;     /* what is the same for all threads and outlives a barrier */
  uint16_t* pc;      /* per thread: its next region; behind the last, up to `capacity`, MUSA_PC_EXITED */
  uint32_t first;    /* linear index of its first thread */
  uint32_t threads;  /* in the unit */
  uint32_t capacity; /* a multiple of 32, at least `threads` */
  int32_t resume;    /* region in which all go on, or MUSA_RESUME_PARTED */
  MusaDim3 origin;   /* index of its first thread */
  uint32_t in_row;   /* 1: thread i has the index origin + (i, 0, 0), and the unit is full; the unit's
                      * code makes it 0 when its threads are to go one by one, to their end */
  const MusaDim3* thread_idx; /* per thread; warps only */
  const MusaUnitProgram* program;
  uint32_t state; /* MusaUnitState; warps only */
};

/* In order: those from MUSA_UNIT_AT_BARRIER on run when barriers are released, those from MUSA_UNIT_YIELDS on
 * when all have stopped. */
typedef enum MusaUnitState {
  MUSA_UNIT_DONE,
  MUSA_UNIT_AT_BARRIER, /* together, and when all have come there is no more to it */
  /* At a barrier that the runtime completes: it has a result, diverged threads, or a number. */
  MUSA_UNIT_AT_RELEASE,
  MUSA_UNIT_YIELDS, /* ready to run */
  MUSA_UNIT_AT_STEP /* ready once all others have stopped */
} MusaUnitState;

/* Which warps MusaUnitProgram::run begins with. */
typedef enum MusaUnitChoice {
  MUSA_UNITS_YIELDING, /* those that have yielded, or are at a step */
  MUSA_UNITS_RELEASED, /* those at barriers as well */
  MUSA_UNITS_START     /* all, at their start: what `state` and `resume` say is of other blocks */
} MusaUnitChoice;

/* What __musa_next_region returns: a region for the threads that are there, with
 * MUSA_NEXT_ALL added when that is the whole unit; or one of the states. */
enum {
  MUSA_NEXT_ALL = 0x10000,
  MUSA_NEXT_DONE = -1,
  MUSA_NEXT_AT_BARRIER = -2,
  MUSA_NEXT_YIELD = -3,
  MUSA_NEXT_AT_STEP = -4
};

#ifndef MUSASHIM_DEVICE_COMPILER
/* The block as one unit. Its frame is this host thread's, until the next block. */
MusaUnit* __musa_open_block(const MusaBlockContext* block, const MusaUnitProgram* program);
/* Runs the block warp by warp, to its end. */
void __musa_run_warps(const MusaBlockContext* block, const MusaUnitProgram* program);
int32_t __musa_next_region(MusaUnit* unit);
/* All of the block have come to a barrier of the grid: returns when all blocks have. */
void __musa_grid_barrier(const MusaBlockContext* block);
/* Sets the places of all threads, or of those in one region. */
void __musa_place_threads(MusaUnit* unit, uint32_t place);
void __musa_move_threads(MusaUnit* unit, uint32_t from, uint32_t to);
#endif

#ifdef __cplusplus
}
#endif
#endif
