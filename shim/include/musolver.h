/* All parts of muSOLVER that are here, as programs for the vendor's SDK include them. */
#include "musolverDn.h"
#include "musolverRf.h"
#include "musolverSp.h"
#if defined(__cplusplus) && !defined(MUSASHIM_CUDA_LIBRARIES)
#include "crt/solver_older_shapes.h"
#endif
