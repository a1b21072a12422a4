// Cooperative launches: all blocks meet at a grid barrier.
#include <cooperative_groups.h>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("execution.cooperative");

__global__ void rotate(int* values, int* out) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const unsigned blocks = gridDim.x;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) values[blockIdx.x] += round + static_cast<int>(blockIdx.x);
    grid.sync();
    if (threadIdx.x == 0) out[blockIdx.x] += values[(blockIdx.x + 1) % blocks];
    grid.sync();
  }
}

int main() {
  DeviceArray<int> values(8);
  DeviceArray<int> out(8);
  int* valuesPointer = values.data();
  int* outPointer = out.data();
  void* arguments[] = {&valuesPointer, &outPointer};
  const void* kernel = reinterpret_cast<const void*>(rotate);
  OBSERVE("launch", cudaLaunchCooperativeKernel(kernel, dim3(8), dim3(64), arguments, 0, nullptr));
  OBSERVE("values", joined(out.read()));
  OBSERVE("too_large", cudaLaunchCooperativeKernel(kernel, dim3(1 << 20), dim3(1024), arguments, 0, nullptr));
  OBSERVE("null_function", cudaLaunchCooperativeKernel(static_cast<const void*>(nullptr), dim3(1), dim3(1),
                                                       arguments, 0, nullptr));
  cudaGetLastError();
}
