/* What the library and kernels share: constants, the state that kernels see, the head of each PE's symmetric
 * heap. */
#ifndef MTSHMEM_DETAIL_LAYOUT_H
#define MTSHMEM_DETAIL_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

enum {
  MTSHMEMI_MAX_PES = 256,
  MTSHMEMI_MAX_TEAMS = 64,
  MTSHMEMI_MAX_WAITS = 32,
  MTSHMEMI_SCRATCH_BYTES = 1 << 16
};

/* What PEs of other hosts are asked for. From MTSHMEMI_FETCH on: atomics on a word of 4 or 8 bytes. */
enum mtshmemi_operation {
  MTSHMEMI_PUT,
  MTSHMEMI_GET,
  MTSHMEMI_FLUSH, /* of all PEs: until what was asked for before is done there */
  MTSHMEMI_FETCH,
  MTSHMEMI_SET,
  MTSHMEMI_SWAP,
  MTSHMEMI_COMPARE_SWAP,
  MTSHMEMI_ADD,
  MTSHMEMI_AND,
  MTSHMEMI_OR,
  MTSHMEMI_XOR
};
enum { MTSHMEMI_DONE = 1 };

typedef struct mtshmemi_request {
  uint32_t operation; /* mtshmemi_operation */
  int32_t pe;
  void* local;     /* null: the word of `operand`, or `result` */
  uint64_t offset; /* in the heap of the other PE */
  uint64_t bytes;
  uint64_t operand;
  uint64_t compare;
  uint64_t result;
  uint32_t width;
  uint32_t isAnswered;  /* of an atomic: its result is wanted */
  uint32_t isWaitedFor; /* who asked waits for `state` */
  uint32_t left;        /* answers that have not come */
  uint32_t state;       /* MTSHMEMI_DONE: its local memory may be used again, or has what was asked for */
} mtshmemi_request_t;

/* A wait that goes on. */
typedef struct mtshmemi_wait {
  const void* place; /* the variable, or the first of several */
  uint64_t count;    /* of variables */
  uint64_t wanted;
  int32_t comparison;
  int32_t width; /* bytes of a variable; negative: it has a sign */
  int32_t team;  /* whose barrier it is; negative: none */
  int32_t isOfKernel;
  uint32_t block[3], thread[3]; /* of a kernel */
  uint32_t turns;
  int32_t entry;            /* in the heap's head, plus 1 */
  uint64_t begun, nextLook; /* ns; 0: not looked at so far */
} mtshmemi_wait_t;

/* A wait as all PEs may read it. */
typedef struct mtshmemi_told_wait {
  uint64_t isTold;        /* 0: free; 1: what follows is whole; 2: it is being written */
  uint64_t begun;         /* ns of the PE's host */
  uint64_t place, offset; /* in the PE's memory; in the symmetric heap, or all ones */
  uint64_t count, wanted, has;
  int32_t comparison, width, team, isOfKernel;
  uint32_t block[3], thread[3];
  char who[160]; /* the kernel, or the call */
} mtshmemi_told_wait_t;

/* PEs start, start + stride, ... of the world. */
typedef struct mtshmemi_team {
  int32_t valid;
  int32_t me; /* in the team */
  int32_t size;
  int32_t start;
  int32_t stride;
  int32_t isFar; /* some are on other hosts */
} mtshmemi_team_t;

/* Of one PE, the same for its host code and its kernels. */
typedef struct mtshmemi_state {
  int32_t me;
  int32_t size;
  char* heap; /* begins with mtshmemi_heap_head */
  size_t bytes;
  char* peers[MTSHMEMI_MAX_PES]; /* the heaps of all PEs, here; null on other hosts */
  int32_t isFar;                 /* there are PEs on other hosts */
  /* Of the library, for kernels that ask PEs of other hosts for something. */
  void (*ask)(mtshmemi_request_t*);
  /* Of the library: a look at a wait that goes on, now and then, and when it is over. */
  void (*look)(mtshmemi_wait_t*, int isOver);
  mtshmemi_team_t teams[MTSHMEMI_MAX_TEAMS];
} mtshmemi_state_t;

typedef struct mtshmemi_heap_head {
  /* How many have come to a team's barriers, ever: at its first PE, or of a far team at each. */
  uint64_t arrived[MTSHMEMI_MAX_TEAMS];
  /* Of this PE: how many barriers of the team it has begun. */
  uint64_t begun[MTSHMEMI_MAX_TEAMS];
  /* What this PE tells the others while a team is made. */
  uint64_t word;
  /* At PE 0: who reports that a wait took too long, plus 1. */
  uint64_t reporter;
  /* What this PE waits for. */
  mtshmemi_told_wait_t waits[MTSHMEMI_MAX_WAITS];
  /* Room for results while sources are still read, and for what came from other hosts. */
  char scratch[MTSHMEMI_SCRATCH_BYTES];
  char arrivals[MTSHMEMI_SCRATCH_BYTES];
} mtshmemi_heap_head_t;

#endif
