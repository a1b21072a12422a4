/* muSOLVER's sparse part: solutions with sparse matrices, orders of their rows, eigenvalues, at the level of
 * cuSOLVER's. Calls whose names end in Host take all memory from the host. Functions: shim/api/musolver.yml.
 */
#ifndef MUSOLVERSP_H_
#define MUSOLVERSP_H_

#include "musolverDn.h"
#include "musparse.h"

typedef struct musolverSpContext* musolverSpHandle_t;
typedef struct csrqrInfo* csrqrInfo_t;

#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/musolver_sparse_functions.h"
#ifdef __cplusplus
}
#endif

#endif
