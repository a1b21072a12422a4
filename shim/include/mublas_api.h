/* muBLAS's interface with handles, by the name of cuBLAS's header below cublas_v2.h. */
#ifndef MUBLAS_API_NAME_H_
#define MUBLAS_API_NAME_H_

#include "mublas.h"

#endif
