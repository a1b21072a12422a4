/* What the library and kernels share: constants, the state that kernels see, the head of each PE's symmetric
 * heap. */
#ifndef MTSHMEM_DETAIL_LAYOUT_H
#define MTSHMEM_DETAIL_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

enum { MTSHMEMI_MAX_PES = 256, MTSHMEMI_MAX_TEAMS = 64, MTSHMEMI_SCRATCH_BYTES = 1 << 16 };

/* PEs start, start + stride, ... of the world. */
typedef struct mtshmemi_team {
  int32_t valid;
  int32_t me; /* in the team */
  int32_t size;
  int32_t start;
  int32_t stride;
} mtshmemi_team_t;

/* Of one PE, the same for its host code and its kernels. */
typedef struct mtshmemi_state {
  int32_t me;
  int32_t size;
  char* heap; /* begins with mtshmemi_heap_head */
  size_t bytes;
  char* peers[MTSHMEMI_MAX_PES]; /* the heaps of all PEs, here */
  mtshmemi_team_t teams[MTSHMEMI_MAX_TEAMS];
} mtshmemi_state_t;

typedef struct mtshmemi_heap_head {
  /* Of a team's first PE: how many have come to its barriers, ever. */
  uint64_t arrived[MTSHMEMI_MAX_TEAMS];
  /* Of this PE: how many barriers of the team it has begun. */
  uint64_t begun[MTSHMEMI_MAX_TEAMS];
  /* What this PE tells the others while a team is made. */
  uint64_t word;
  /* Room for results while sources are still read. */
  char scratch[MTSHMEMI_SCRATCH_BYTES];
} mtshmemi_heap_head_t;

#endif
