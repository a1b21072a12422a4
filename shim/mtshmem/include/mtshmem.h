/* MTSHMEM: one-sided communication among processing elements (PEs), one for each process, on memory that each
 * PE has at the same place (the symmetric heap), from the host, on streams and inside kernels. The interface
 * of NVSHMEM 3 and OpenSHMEM 1.5 with the vendor's words. Counts are in elements unless a name ends in mem
 * (bytes); a PE is a number of the world. Calls of the host end when their work is done, so that quiet and
 * fence find nothing left. */
#ifndef MTSHMEM_H
#define MTSHMEM_H

#include <musa_runtime.h>
#include <stddef.h>
#include <stdint.h>

#define MTSHMEM_MAJOR_VERSION 1
#define MTSHMEM_MINOR_VERSION 3
#define MTSHMEM_VENDOR_MAJOR_VERSION 3
#define MTSHMEM_VENDOR_MINOR_VERSION 4
#define MTSHMEM_VENDOR_PATCH_VERSION 5
#define MTSHMEM_VENDOR_STRING "musashim"
#define MTSHMEM_MAX_NAME_LEN 256

typedef int32_t mtshmem_team_t;
#define MTSHMEM_TEAM_INVALID (-1)
#define MTSHMEM_TEAM_WORLD 0
#define MTSHMEM_TEAM_SHARED 1 /* PEs that reach each other's memory: those of this host */
#define MTSHMEMX_TEAM_NODE 2
#define MTSHMEMX_TEAM_SAME_MYPE_NODE 3 /* the PEs of the same number on all hosts */
#define MTSHMEMI_TEAM_SAME_GPU 4       /* those that share this one's device */
#define MTSHMEMI_TEAM_GPU_LEADERS 5    /* the first of each device */

typedef struct mtshmem_team_config {
  int version;
  int num_contexts;
  char reserved[56];
} mtshmem_team_config_t;

enum { MTSHMEM_CMP_EQ, MTSHMEM_CMP_NE, MTSHMEM_CMP_GT, MTSHMEM_CMP_LE, MTSHMEM_CMP_LT, MTSHMEM_CMP_GE };
enum { MTSHMEM_SIGNAL_SET = 9, MTSHMEM_SIGNAL_ADD = 10 };
typedef enum {
  MTSHMEM_STATUS_NOT_INITIALIZED = 0,
  MTSHMEM_STATUS_IS_BOOTSTRAPPED,
  MTSHMEM_STATUS_IS_INITIALIZED,
  MTSHMEM_STATUS_LIMITED_MPG,
  MTSHMEM_STATUS_FULL_MPG
} mtshmemx_init_status_t;
enum { MTSHMEM_THREAD_SINGLE, MTSHMEM_THREAD_FUNNELED, MTSHMEM_THREAD_SERIALIZED, MTSHMEM_THREAD_MULTIPLE };

#ifdef __cplusplus
extern "C" {
#endif
/* Collective. Who takes part: mtshmrun, mpirun of Open MPI or MPICH, Slurm; alone, one PE. Ends the process
 * if that fails. */
void mtshmem_init(void);
int mtshmem_init_thread(int requested, int* provided);
void mtshmem_query_thread(int* provided);
void mtshmem_finalize(void);
void mtshmem_global_exit(int status);
int mtshmem_my_pe(void);
int mtshmem_n_pes(void);
void mtshmem_info_get_version(int* major, int* minor);
void mtshmem_info_get_name(char* name);

/* Collective, with the same size at all PEs; null if there is no room. Device memory, which kernels, copies
 * and MTSHMEM's calls may use. The heap is made by the first of these, on the device that is current then;
 * its size is MTSHMEM_SYMMETRIC_SIZE (bytes, or with K, M, G; 1G). */
void* mtshmem_malloc(size_t size);
void* mtshmem_calloc(size_t count, size_t size);
void* mtshmem_align(size_t alignment, size_t size);
void mtshmem_free(void* ptr);
/* Where `dest` of another PE is in this one's memory; null if it cannot be reached. */
void* mtshmem_ptr(const void* dest, int pe);

int mtshmem_team_my_pe(mtshmem_team_t team); /* -1 outside */
int mtshmem_team_n_pes(mtshmem_team_t team);
int mtshmem_team_translate_pe(mtshmem_team_t src_team, int src_pe, mtshmem_team_t dest_team);
void mtshmem_team_get_config(mtshmem_team_t team, mtshmem_team_config_t* config);
/* Collective over the parent; 0 if it worked. PEs outside get MTSHMEM_TEAM_INVALID. */
int mtshmem_team_split_strided(mtshmem_team_t parent, int start, int stride, int size,
                               const mtshmem_team_config_t* config, long config_mask,
                               mtshmem_team_t* new_team);
int mtshmem_team_split_2d(mtshmem_team_t parent, int xrange, const mtshmem_team_config_t* xaxis_config,
                          long xaxis_mask, mtshmem_team_t* xaxis_team,
                          const mtshmem_team_config_t* yaxis_config, long yaxis_mask,
                          mtshmem_team_t* yaxis_team);
void mtshmem_team_destroy(mtshmem_team_t team);

/* Of the host's part that kernels need. */
void mtshmemi_register_device_state(const void* symbol);
#ifdef __cplusplus
}
#endif

#include "mtshmem_detail/host_functions.h"

#if defined(__MUSACC__) && defined(__cplusplus)
#include "mtshmem_detail/device.h"
#endif

#endif
