/* What belongs to the prototypes of musa_detail/cuda_runtime_functions.h. */
#ifndef MUSASHIM_CRT_CUDA_RUNTIME_OVERLOADS_H
#define MUSASHIM_CRT_CUDA_RUNTIME_OVERLOADS_H

/* CUDA 12's versioned spelling. */
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties

#ifdef __cplusplus
template <class T>
static inline musaError_t cudaFuncGetAttributes(struct musaFuncAttributes* attr, T* func) {
  return ::cudaFuncGetAttributes(attr, (const void*)func);
}
#endif

#endif
