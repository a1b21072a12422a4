/* The runtime functions that answer otherwise by CUDA's name than by MUSA's: they tell the compute capability
 * of the CUDA face (MUSASHIM_CUDA_CAPABILITY). For cuda_runtime_api.h; to sources that are compiled as CUDA the
 * header of the runtime API declares them. */
#ifndef MUSASHIM_CRT_CUDA_RUNTIME_ANSWERS_H
#define MUSASHIM_CRT_CUDA_RUNTIME_ANSWERS_H

#include "../musa_runtime_api.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/cuda_runtime_functions.h"
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#include "cuda_runtime_overloads.h"

#endif
