/* Included by mcc before every MUSA source file, as the vendor's compiler includes
 * its runtime. Declares what clang's launch code looks up by name; mcc's host pass
 * gives the calls musart's names. */
#ifndef MUSASHIM_MCC_PRELUDE_H
#define MUSASHIM_MCC_PRELUDE_H

#include <musa_runtime.h>

extern "C" unsigned __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0,
                                               musaStream_t stream = 0);
extern "C" musaError_t hipLaunchKernel(const void* function, dim3 gridDim, dim3 blockDim, void** arguments,
                                       size_t sharedMem, musaStream_t stream);

#endif
