#include "lib/cuda.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void kernel(int* out, int value) { *out = value; }

int main() {
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  kernel<<<1, 1>>>(out, answer());
  cudaDeviceSynchronize();
  std::printf("%d wrong\n", *out != 42);
}
