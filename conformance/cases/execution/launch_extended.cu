// The launch call with a configuration structure.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("execution.launch_extended");

__global__ void fill(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }

int main() {
  DeviceArray<int> out(8);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2);
  config.blockDim = dim3(4);
  OBSERVE("typed", cudaLaunchKernelEx(&config, fill, out.data(), 6));
  OBSERVE("typed_values", joined(out.read()));

  int* pointer = out.data();
  int value = 11;
  void* arguments[] = {&pointer, &value};
  OBSERVE("untyped", cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(fill), arguments));
  OBSERVE("untyped_values", joined(out.read()));
  config.blockDim = dim3(0);
  OBSERVE("zero_block", cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(fill), arguments));
  cudaGetLastError();
}
