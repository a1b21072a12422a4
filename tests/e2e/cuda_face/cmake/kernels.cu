#include <cuda_runtime.h>

extern __device__ int plusTwo(int value);

__global__ void fill(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = plusTwo(i);
}

cudaError_t fillOnDevice(int* values, int count) {
  fill<<<(count + 63) / 64, 64>>>(values, count);
  return cudaDeviceSynchronize();
}
