/* muBLAS's statuses: the vendor's fourteen, which are rocBLAS's in rocBLAS's order, and CUDA's names for
 * ported programs. No call returns the last four. */
#ifndef MUSASHIM_MUBLAS_STATUSES_H
#define MUSASHIM_MUBLAS_STATUSES_H

typedef enum {
  MUBLAS_STATUS_SUCCESS = 0,
  MUBLAS_STATUS_INVALID_HANDLE = 1,  /* the handle is none */
  MUBLAS_STATUS_NOT_IMPLEMENTED = 2, /* no such operation for these types */
  MUBLAS_STATUS_INVALID_POINTER = 3, /* null, where data or a result belongs */
  MUBLAS_STATUS_INVALID_SIZE = 4,    /* a size, an increment or a leading dimension */
  MUBLAS_STATUS_MEMORY_ERROR = 5,    /* no memory */
  MUBLAS_STATUS_INTERNAL_ERROR = 6,  /* in the library, or work that could not be queued */
  MUBLAS_STATUS_PERF_DEGRADED = 7,
  MUBLAS_STATUS_SIZE_QUERY_MISMATCH = 8,
  MUBLAS_STATUS_SIZE_INCREASED = 9,
  MUBLAS_STATUS_SIZE_UNCHANGED = 10,
  MUBLAS_STATUS_INVALID_VALUE = 11, /* an option that there is not */
  MUBLAS_STATUS_CONTINUE = 12,
  MUBLAS_STATUS_CHECK_NUMERICS_FAIL = 13,
  /* What a ported program calls them. */
  MUBLAS_STATUS_NOT_INITIALIZED = 1,
  MUBLAS_STATUS_NOT_SUPPORTED = 2,
  MUBLAS_STATUS_ALLOC_FAILED = 5,
  /* cuBLAS's alone. */
  MUBLAS_STATUS_ARCH_MISMATCH = 15,
  MUBLAS_STATUS_MAPPING_ERROR = 16,
  MUBLAS_STATUS_EXECUTION_FAILED = 17,
  MUBLAS_STATUS_LICENSE_ERROR = 18
} mublasStatus_t;

#endif
