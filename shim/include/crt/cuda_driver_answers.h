/* The driver functions that answer otherwise by CUDA's name than by MUSA's: they tell the compute capability
 * of the CUDA face (MUSASHIM_CUDA_CAPABILITY). For cuda.h; to sources that are compiled as CUDA the header of
 * the driver API declares them. */
#ifndef MUSASHIM_CRT_CUDA_DRIVER_ANSWERS_H
#define MUSASHIM_CRT_CUDA_DRIVER_ANSWERS_H

#include "../musa.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/cuda_driver_functions.h"
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
