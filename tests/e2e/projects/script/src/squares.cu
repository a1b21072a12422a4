#include <cuda_runtime.h>

#include <cstdio>

__global__ void square(int* values) { values[threadIdx.x] = threadIdx.x * threadIdx.x; }

int squares() {
  int *values = nullptr, host[64], wrong = 0;
  if (cudaMalloc(&values, sizeof host) != cudaSuccess) return 64;
  square<<<1, 64>>>(values);
  if (cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 64;
  for (int i = 0; i < 64; ++i) wrong += host[i] != i * i;
  cudaFree(values);
  return wrong;
}
