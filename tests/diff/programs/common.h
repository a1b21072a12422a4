// What the programs with planted faults share. FAULT is the number of the fault in faults.json, 0 for none.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

#ifndef FAULT
#define FAULT 0
#endif

template <class T>
T* allocate(size_t count) {
  T* pointer = nullptr;
  if (cudaMalloc(&pointer, count * sizeof(T)) != cudaSuccess) std::printf("no memory\n");
  return pointer;
}

inline int finish() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
