/* muBLAS Xt: level 3 with matrices of any memory, whose blocks are shared among several devices, at the level
 * of cuBLASXt's. A call returns when its result is there. Functions: shim/api/mublasXt.yml. */
#ifndef MUBLAS_XT_H_
#define MUBLAS_XT_H_

#include "mublas.h"

typedef struct mublasXtContext* mublasXtHandle_t;

typedef enum { MUBLASXT_PINNING_DISABLED = 0, MUBLASXT_PINNING_ENABLED = 1 } mublasXtPinningMemMode_t;

typedef enum {
  MUBLASXT_FLOAT = 0,
  MUBLASXT_DOUBLE = 1,
  MUBLASXT_COMPLEX = 2,
  MUBLASXT_DOUBLECOMPLEX = 3
} mublasXtOpType_t;

typedef enum {
  MUBLASXT_GEMM = 0,
  MUBLASXT_SYRK = 1,
  MUBLASXT_HERK = 2,
  MUBLASXT_SYMM = 3,
  MUBLASXT_HEMM = 4,
  MUBLASXT_TRSM = 5,
  MUBLASXT_SYR2K = 6,
  MUBLASXT_HER2K = 7,
  MUBLASXT_SPMM = 8,
  MUBLASXT_SYRKX = 9,
  MUBLASXT_HERKX = 10,
  MUBLASXT_TRMM = 11,
  MUBLASXT_ROUTINE_MAX = 12
} mublasXtBlasOp_t;

#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/mublas_xt_functions.h"
#ifdef __cplusplus
}
#endif

#endif
