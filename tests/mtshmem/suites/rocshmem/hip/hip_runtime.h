// HIP's names for MUSA's, as far as rocSHMEM's functional tests need them.
#pragma once

#include <musa_runtime.h>
#include <stdlib.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#define hipError_t musaError_t
#define hipSuccess musaSuccess
#define hipStream_t musaStream_t
#define hipEvent_t musaEvent_t
#define hipDeviceProp_t musaDeviceProp
#define hipGetErrorString musaGetErrorString
#define hipGetDevice musaGetDevice
#define hipSetDevice musaSetDevice
#define hipGetDeviceCount musaGetDeviceCount
#define hipGetDeviceProperties musaGetDeviceProperties
#define hipDeviceSynchronize musaDeviceSynchronize
#define hipStreamCreate musaStreamCreate
#define hipStreamDestroy musaStreamDestroy
#define hipStreamSynchronize musaStreamSynchronize
#define hipEventCreate musaEventCreate
#define hipEventDestroy musaEventDestroy
#define hipEventRecord musaEventRecord
#define hipEventElapsedTime musaEventElapsedTime
#define hipMemcpy musaMemcpy
#define hipMemcpyHostToDevice musaMemcpyHostToDevice
#define hipMemcpyDeviceToHost musaMemcpyDeviceToHost
// HIP's devices let the host touch what hipMalloc() gives, and the tests do.
#define hipMalloc musaMallocManaged
#define hipMallocManaged musaMallocManaged
#define hipMemAttachHost musaMemAttachGlobal
#define hipFree musaFree
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) \
  kernel<<<grid, block, shared, stream>>>(__VA_ARGS__)

// AMD's: a rate in kHz, and a register that flushes a cache MUSA's devices do not have.
enum { hipDeviceAttributeWallClockRate, hipDeviceAttributeHdpMemFlushCntl };
inline musaError_t hipDeviceGetAttribute(int* value, int attribute, int) {
  static unsigned flushed;
  if (attribute == hipDeviceAttributeWallClockRate) {
    *value = 1000000;
  } else {
    unsigned* const place = &flushed;
    std::memcpy(value, &place, sizeof place);
  }
  return musaSuccess;
}
// HIP's kernels may abort.
__host__ __device__ inline void hipAbort() {
#ifdef __MUSA_ARCH__
  __trap();
#else
  std::abort();
#endif
}
#define abort hipAbort
__device__ inline long long wall_clock64() { return static_cast<long long>(__musa_globaltimer()); }
