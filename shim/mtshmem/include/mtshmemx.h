/* MTSHMEM's extensions: ways to begin, launches of kernels that talk to each other. Forms of its functions
 * for warps, blocks and streams come with mtshmem.h. */
#ifndef MTSHMEMX_H
#define MTSHMEMX_H

#include "mtshmem.h"

#define MTSHMEMX_INIT_THREAD_PES (1 << 0)
#define MTSHMEMX_INIT_WITH_MPI_COMM (1 << 1)
#define MTSHMEMX_INIT_WITH_UNIQUEID (1 << 3)

enum { MTSHMEMX_SUCCESS = 0, MTSHMEMX_ERROR_INVALID_VALUE = 1, MTSHMEMX_ERROR_INTERNAL = 7 };
enum { MTSHMEM_STATUS_NOT_INITIALIZED = 0, MTSHMEM_STATUS_IS_BOOTSTRAPPED, MTSHMEM_STATUS_IS_INITIALIZED };

typedef struct mtshmemx_uniqueid {
  int version;
  char internal[124];
} mtshmemx_uniqueid_t;

typedef struct mtshmemx_init_attr {
  int version;
  int rank;
  int size;
  mtshmemx_uniqueid_t id;
} mtshmemx_init_attr_t;

#define MTSHMEMX_UNIQUEID_INITIALIZER \
  {                                   \
    0, { 0 }                          \
  }
#define MTSHMEMX_INIT_ATTR_INITIALIZER \
  { 0, 0, 0, MTSHMEMX_UNIQUEID_INITIALIZER }

#ifdef __cplusplus
extern "C" {
#endif
/* One process makes an id and hands it to the others. All return MTSHMEMX_SUCCESS or an error. */
int mtshmemx_get_uniqueid(mtshmemx_uniqueid_t* id);
int mtshmemx_set_attr_uniqueid_args(int rank, int size, const mtshmemx_uniqueid_t* id,
                                    mtshmemx_init_attr_t* attr);
/* flags: MTSHMEMX_INIT_WITH_UNIQUEID, or 0 for what mtshmem_init() does. */
int mtshmemx_init_attr(unsigned int flags, mtshmemx_init_attr_t* attr);
int mtshmemx_hostlib_init_attr(unsigned int flags, mtshmemx_init_attr_t* attr);
void mtshmemx_hostlib_finalize(void);
int mtshmemx_init_status(void);

/* A launch of kernels that wait for each other's, on all PEs: all blocks run at the same time. */
int mtshmemx_collective_launch(const void* func, dim3 grid, dim3 block, void** args, size_t shared,
                               musaStream_t stream);
/* How many blocks of that size can. */
int mtshmemx_collective_launch_query_gridsize(const void* func, dim3 block, void** args, size_t shared,
                                              int* gridsize);
#ifdef __cplusplus
}
#endif

#endif
