// In a CUDA source, beside a kernel.
#include <nvToolsExt.h>

#include <nvtx3/nvtx3.hpp>

__global__ void add(int* value) { atomicAdd(value, 1); }

int main() {
  nvtx3::scoped_range range{"all"};
  int* value = nullptr;
  cudaMallocManaged(&value, sizeof *value);
  nvtxRangePushA("launch");
  add<<<2, 32>>>(value);
  cudaDeviceSynchronize();
  nvtxRangePop();
  return *value == 64 ? 0 : 1;
}
