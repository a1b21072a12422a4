// The names of CUDA for what a generated program calls.
#pragma once

#include <cuda_runtime.h>

#define musaError_t cudaError_t
#define musaSuccess cudaSuccess
#define musaGetErrorName cudaGetErrorName
#define musaMalloc cudaMalloc
#define musaFree cudaFree
#define musaMemcpy cudaMemcpy
#define musaMemcpyHostToDevice cudaMemcpyHostToDevice
#define musaMemcpyDeviceToHost cudaMemcpyDeviceToHost
