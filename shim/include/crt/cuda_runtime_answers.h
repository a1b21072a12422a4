/* The runtime functions that answer otherwise by CUDA's name than by MUSA's: they tell the compute capability
 * of the CUDA face (MUSASHIM_CUDA_CAPABILITY). For sources that are compiled as CUDA, and for
 * cuda_runtime_api.h. */
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

/* CUDA 12's versioned spelling. */
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties

#ifdef __cplusplus
template <class T>
static inline musaError_t cudaFuncGetAttributes(struct musaFuncAttributes* attr, T* func) {
  return ::cudaFuncGetAttributes(attr, (const void*)func);
}
#endif

#endif
