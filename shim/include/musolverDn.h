/* muSOLVER's dense part: factorisations, solutions, eigenvalues and singular values on the device, at the
 * level of cuSOLVER's. A call returns when its work is queued on the handle's stream.
 * Functions: shim/api/musolver.yml. */
#ifndef MUSOLVERDN_H_
#define MUSOLVERDN_H_

#include "musolver_common.h"

/* The vendor's calls work on muBLAS's handle, and one of musolverDnCreate is a handle of muBLAS. Programs
 * that were written for CUDA have a type of its own (internal/mublas_types.h). */
#ifdef MUSASHIM_CUDA_LIBRARIES
typedef struct musolverDnContext* musolverDnHandle_t;
#else
typedef mublasHandle_t musolverDnHandle_t;
#endif
typedef struct musolverDnParams* musolverDnParams_t;
typedef struct musolverDnIRSParams* musolverDnIRSParams_t;
typedef struct musolverDnIRSInfos* musolverDnIRSInfos_t;
typedef struct syevjInfo* syevjInfo_t;
typedef struct gesvdjInfo* gesvdjInfo_t;
typedef enum { MUSOLVERDN_GETRF = 0, MUSOLVERDN_POTRF = 1, MUSOLVERDN_SYEVBATCHED = 2 } musolverDnFunction_t;

#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/musolver_functions.h"
#ifdef __cplusplus
}
#endif

#endif
