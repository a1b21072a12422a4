/* Factors of muSOLVER's sparse part that programs keep: LU on the host, QR and Cholesky on both sides.
 * Functions: shim/api/musolver.yml. */
#ifndef MUSOLVERSP_LOWLEVEL_PREVIEW_H_
#define MUSOLVERSP_LOWLEVEL_PREVIEW_H_

#include "musolverSp.h"

typedef struct csrluInfoHost* csrluInfoHost_t;
typedef struct csrqrInfoHost* csrqrInfoHost_t;
typedef struct csrcholInfoHost* csrcholInfoHost_t;
typedef struct csrcholInfo* csrcholInfo_t;

#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/musolver_lowlevel_functions.h"
#ifdef __cplusplus
}
#endif

#endif
