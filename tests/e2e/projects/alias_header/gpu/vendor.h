// One name for each vendor's.
#pragma once
#if defined(USE_HIP)
#include <hip/hip_runtime.h>
#define gpuMalloc hipMalloc
#define gpuMemcpy hipMemcpy
#define gpuMemcpyDeviceToHost hipMemcpyDeviceToHost
#define gpuSuccess hipSuccess
#define gpuFree hipFree
#else
#include <cuda_runtime.h>
#define gpuMalloc cudaMalloc
#define gpuMemcpy cudaMemcpy
#define gpuMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define gpuSuccess cudaSuccess
#define gpuFree cudaFree
#endif
