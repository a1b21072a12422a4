#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

cudaError_t fillOnDevice(int* values, int count);

int main() {
  int *values = nullptr, version = 0;
  if (cuDriverGetVersion(&version) != CUDA_SUCCESS || version < 12000) return 2;
  if (cudaMallocManaged(reinterpret_cast<void**>(&values), 1000 * sizeof(int)) != cudaSuccess) return 3;
  if (const cudaError_t error = fillOnDevice(values, 1000)) return std::puts(cudaGetErrorString(error)), 4;
  int wrong = 0;
  for (int i = 0; i < 1000; ++i) wrong += values[i] != i + 2;
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
