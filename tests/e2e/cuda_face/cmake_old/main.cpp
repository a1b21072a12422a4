#include <cuda_runtime.h>

#include <cstdio>

void launch(int* value);

int main() {
  int* value = nullptr;
  if (cudaMallocManaged(reinterpret_cast<void**>(&value), sizeof(int)) != cudaSuccess) return 2;
  launch(value);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;
  std::printf("%d wrong\n", *value != 7);
  return *value != 7;
}
