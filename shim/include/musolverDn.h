/* muSOLVER's dense part: factorisations, solutions, eigenvalues and singular values on the device, at the
 * level of cuSOLVER's legacy interface. A call returns when its work is queued on the handle's stream.
 * Functions: shim/api/musolver.yml. */
#ifndef MUSOLVERDN_H_
#define MUSOLVERDN_H_

#include "musolver_common.h"

typedef struct musolverDnContext* musolverDnHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/musolver_functions.h"
#ifdef __cplusplus
}
#endif

#endif
