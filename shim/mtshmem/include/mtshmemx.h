/* MTSHMEM's extensions: ways to begin, launches of kernels that talk to each other. Forms of its functions
 * for warps, blocks and streams come with mtshmem.h. */
#ifndef MTSHMEMX_H
#define MTSHMEMX_H

#include <musa.h>

#include "mtshmem.h"

#define MTSHMEMX_INIT_THREAD_PES (1 << 0)
#define MTSHMEMX_INIT_WITH_MPI_COMM (1 << 1)
#define MTSHMEMX_INIT_WITH_SHMEM (1 << 2)
#define MTSHMEMX_INIT_WITH_UNIQUEID (1 << 3)

enum {
  MTSHMEMX_SUCCESS = 0,
  MTSHMEMX_ERROR_INVALID_VALUE,
  MTSHMEMX_ERROR_OUT_OF_MEMORY,
  MTSHMEMX_ERROR_NOT_SUPPORTED,
  MTSHMEMX_ERROR_SYMMETRY,
  MTSHMEMX_ERROR_GPU_NOT_SELECTED,
  MTSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED,
  MTSHMEMX_ERROR_INTERNAL
};

typedef struct mtshmemx_uniqueid {
  int version;
  char internal[124];
} mtshmemx_uniqueid_t;

/* The id and the communicator are the caller's, and must be there until the init. */
typedef struct mtshmemx_init_attr {
  int version;
  void* mpi_comm;
  const mtshmemx_uniqueid_t* id;
  int rank;
  int size;
  char reserved[112];
} mtshmemx_init_attr_t;

#define MTSHMEMX_UNIQUEID_INITIALIZER \
  {                                   \
    0, { 0 }                          \
  }
#define MTSHMEMX_INIT_ATTR_INITIALIZER \
  {                                    \
    0, NULL, NULL, 0, 0, { 0 }         \
  }

#ifdef __cplusplus
extern "C" {
#endif
/* One process makes an id and hands it to the others. All return MTSHMEMX_SUCCESS or an error. */
int mtshmemx_get_uniqueid(mtshmemx_uniqueid_t* id);
int mtshmemx_set_attr_uniqueid_args(int rank, int size, const mtshmemx_uniqueid_t* id,
                                    mtshmemx_init_attr_t* attr);
/* mpi_comm: a pointer to an MPI_Comm, of Open MPI or MPICH. */
int mtshmemx_set_attr_mpi_comm_args(void* mpi_comm, mtshmemx_init_attr_t* attr);
/* flags: MTSHMEMX_INIT_WITH_UNIQUEID, MTSHMEMX_INIT_WITH_MPI_COMM, or 0 for what mtshmem_init() does. */
int mtshmemx_init_attr(unsigned int flags, mtshmemx_init_attr_t* attr);
int mtshmemx_hostlib_init_attr(unsigned int flags, mtshmemx_init_attr_t* attr);
void mtshmemx_hostlib_finalize(void);
int mtshmemx_init_status(void);
void mtshmemx_vendor_get_version_info(int* major, int* minor, int* patch);

/* Memory of the program's own that is one end of puts and gets. All of it may be, registered or not. */
int mtshmemx_buffer_register(void* addr, size_t length);
int mtshmemx_buffer_unregister(void* addr);
void mtshmemx_buffer_unregister_all(void);
/* Collective: memory of the program's own as part of the symmetric heap. Not here: null, and a word why. */
void* mtshmemx_buffer_register_symmetric(void* addr, size_t length, int flags);
int mtshmemx_buffer_unregister_symmetric(void* addr, size_t length);
/* What kernels of a module that was loaded at run time must know; before the first of them. */
int mtshmemx_cumodule_init(MUmodule module);
int mtshmemx_cumodule_finalize(MUmodule module);
/* Null: devices here have no multicast. */
void* mtshmemx_mc_ptr(mtshmem_team_t team, const void* ptr);

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
