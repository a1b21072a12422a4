#include "gpu/vendor.h"

#include <cstdio>

__global__ void square(int* values) { values[threadIdx.x] = threadIdx.x * threadIdx.x; }

int squares() {
  int *values = nullptr, host[64], wrong = 0;
  if (gpuMalloc(&values, sizeof host) != gpuSuccess) return 64;
  square<<<1, 64>>>(values);
  if (gpuMemcpy(host, values, sizeof host, gpuMemcpyDeviceToHost) != gpuSuccess) return 64;
  for (int i = 0; i < 64; ++i) wrong += host[i] != i * i;
  gpuFree(values);
  return wrong;
}
