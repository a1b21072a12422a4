#include <cuda_runtime.h>

__global__ void square(int* data) { data[threadIdx.x] *= data[threadIdx.x]; }

int wrongSquares() {
  int* data = nullptr;
  if (cudaMallocManaged(&data, 32 * sizeof(int)) != cudaSuccess) return 32;
  for (int i = 0; i < 32; ++i) data[i] = i;
  square<<<1, 32>>>(data);
  int wrong = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < 32; ++i) wrong += data[i] != i * i;
  cudaFree(data);
  return wrong;
}
